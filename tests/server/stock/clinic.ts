/** A clinic with a manager at a back-office screen, for the tests of the catalogue. */
import { TestDevice } from '#tests/support/device.ts';
import { newId } from '#tests/support/unique.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer, TestServerOptions } from '#tests/support/server.ts';
import type { CategoryResource, ProductResource, StockResource } from '#domain/stock/resources.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export const soundItem = { name: 'Gloves', supplier: 'Madrid Dental', supplier_contact: 'orders@madrid.test' };

export class BackOffice {
  private constructor(
    readonly server: TestServer,
    readonly manager: TestDevice,
    readonly counter: TestDevice,
  ) {}

  static async open(options: TestServerOptions = {}): Promise<BackOffice> {
    const server = await startTestServer(options);
    return new BackOffice(server, await TestDevice.enrol(server, 'manager'), await TestDevice.enrol(server, 'counter'));
  }

  call(method: Method, url: string, payload?: object, headers: Record<string, string> = {}) {
    return this.server.app.inject({
      method,
      url: `/api${url}`,
      headers: { ...this.manager.headers, ...headers },
      ...(payload && { payload }),
    });
  }

  async get<T>(url: string): Promise<T> {
    return (await this.call('GET', url)).json<T>();
  }

  async item(over: object = {}): Promise<StockResource> {
    return (await this.call('POST', '/stock', { ...soundItem, ...over })).json<{ data: StockResource }>().data;
  }

  async product(over: object = {}): Promise<ProductResource> {
    return (await this.call('POST', '/products', { name: 'Kit', price: 10, ...over })).json<{ data: ProductResource }>()
      .data;
  }

  async category(name: string): Promise<CategoryResource> {
    return (await this.call('POST', '/categories', { name })).json<{ data: CategoryResource }>().data;
  }

  async itemNow(id: number): Promise<StockResource> {
    return (await this.get<{ data: StockResource }>(`/stock/${id}`)).data;
  }

  async rows<T>(query: string, values: unknown[] = []): Promise<T[]> {
    return (await this.server.database.$client.query(query, values)).rows as T[];
  }

  ledgerOf(id: number) {
    return this.rows<{ type: string; is_count: boolean; effect: number }>(
      'select type, is_count, effect_milli::int as effect from stock_transactions where stock_id = $1 order by id',
      [id],
    );
  }

  async audited(action: string): Promise<{ subject: string; user_id: number; details: Record<string, string> }[]> {
    return this.rows('select subject, user_id, details from audit_log where action = $1 order by id', [action]);
  }

  /** An item of another clinic on the same server. */
  async foreignItem(): Promise<number> {
    const clinicId = await this.server.addClinic();
    const [row] = await this.rows<{ id: number }>(
      `insert into stock_items (clinic_id, name, search_key) values ($1, 'Foreign', 'foreign') returning id`,
      [clinicId],
    );
    return row!.id;
  }
}

export const key = (): Record<string, string> => ({ 'idempotency-key': newId() });
