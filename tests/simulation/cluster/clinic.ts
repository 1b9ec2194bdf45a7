import { users } from '#server/db/schema/access.ts';
import { products, stockItems, productIngredients } from '#server/db/schema/catalogue.ts';
import { queriesOver } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { createClinic } from '#server/modules/clinics/service.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import type { Role } from '#domain/staff/roles.ts';
import type { NetResponse, Call } from '#sw/sync/ports.ts';
import type { CommitFault } from '../faults/commit-faults.ts';
import type { ServerPool } from './server-pool.ts';
import type { Cluster } from './cluster.ts';
import type { Scheduler } from '../runtime/scheduler.ts';

export interface Person {
  id: number;
  email: string;
  role: Role;
}

export interface InitialStock {
  id: number;
  /** Thousandths, before the first operation. */
  quantityMilli: number;
}

/** Some are exempt and some taxed, which shows at a clinic with a tax profile only. */
const stockOnHand = [
  { name: 'Anaesthetic', cost: 350, quantity: 40_000, tax: 'reduced' },
  { name: 'Cleaning', cost: 6000, quantity: 12_000, tax: 'standard' },
  { name: 'Filling', cost: 8550, quantity: 5000, tax: 'E1' },
] as const;
/** A product that uses two supplies. */
const crown = {
  name: 'Crown',
  price: 42_000,
  uses: [
    [0, 2000],
    [2, 1500],
  ] as const,
};

/** A clinic of the cluster, with its users and stock. Calls pass through the real request handlers, one at a time. */
export class Clinic {
  readonly people: Person[] = [];
  readonly initialStock: InitialStock[] = [];
  /** The supplies of one unit of each product: thousandths by stock item. */
  readonly recipes = new Map<number, Map<number, number>>();

  private constructor(
    readonly id: number,
    readonly cluster: Cluster,
    private readonly scheduler: Scheduler,
    readonly servers: ServerPool,
  ) {}

  /** @param settings beside the defaults */
  static async open(
    cluster: Cluster,
    scheduler: Scheduler,
    servers: ServerPool,
    settings: Partial<ClinicSettings> = {},
  ): Promise<Clinic> {
    cluster.setClock(() => scheduler.nowMs);
    const pool = cluster.databases[0]!.$client;
    const createdAt = scheduler.nowMs;
    return inTransaction(pool, async (sql) => {
      const tx = queriesOver(sql);
      const id = await createClinic(sql, { settings: { time_zone: 'Europe/Madrid', ...settings }, createdAt });
      const clinic = new Clinic(id, cluster, scheduler, servers);
      const roles: Role[] = ['manager', 'counter', 'counter'];
      const hired = await tx
        .insert(users)
        .values(
          roles.map((role, index) => ({
            clinicId: id,
            name: role,
            email: `${role}${index}@clinic${id}`,
            passwordHash: 'pw',
            role,
            createdAt,
            updatedAt: createdAt,
          })),
        )
        .returning({ id: users.id, email: users.email, role: users.role });
      clinic.people.push(...(hired as Person[]));
      const items = await tx
        .insert(stockItems)
        .values(
          stockOnHand.map(({ name, cost, quantity, tax }) => ({
            clinicId: id,
            name,
            searchKey: name.toLowerCase(),
            costMinor: cost,
            tax,
            quantityMilli: quantity,
            createdAt,
            updatedAt: createdAt,
          })),
        )
        .returning({ id: stockItems.id, quantityMilli: stockItems.quantityMilli });
      clinic.initialStock.push(...items);
      const [product] = await tx
        .insert(products)
        .values({
          clinicId: id,
          name: crown.name,
          searchKey: crown.name.toLowerCase(),
          priceMinor: crown.price,
          createdAt,
          updatedAt: createdAt,
        })
        .returning({ id: products.id });
      const uses = crown.uses.map(([item, quantityMilli]) => ({ stockId: items[item]!.id, quantityMilli }));
      await tx.insert(productIngredients).values(uses.map((use) => ({ clinicId: id, productId: product!.id, ...use })));
      clinic.recipes.set(product!.id, new Map(uses.map(({ stockId, quantityMilli }) => [stockId, quantityMilli])));
      return clinic;
    });
  }

  /** Runs one call through the real handlers of one server, with a fault in its transaction. */
  async call(call: Call, server = this.anyServer(), fault: CommitFault | null = null): Promise<NetResponse> {
    const { commitFaults } = this.cluster;
    if (fault) {
      await this.releaseCommit();
      commitFaults.arm(fault);
    }
    return this.respond(call, server).finally(() => fault && commitFaults.disarm());
  }

  /** Returns a running server, or the first one when none runs. */
  private anyServer(): number {
    return this.servers.next() ?? 0;
  }

  private async respond(call: Call, server: number): Promise<NetResponse> {
    return this.unblocked(this.inject(call, server));
  }

  /** Releases the held commit when work waits for its locks. */
  async unblocked<T>(work: Promise<T>): Promise<T> {
    if (this.cluster.commitFaults.heldCall) await this.releaseIfBlocked(work);
    return work;
  }

  /** Runs a call whose commit is held. Resolves once the commit is held, or the call ended without one; `answer` resolves after the release. */
  async callAndHold(call: Call, server: number): Promise<{ answer: Promise<NetResponse> }> {
    const { commitFaults } = this.cluster;
    await this.releaseCommit();
    commitFaults.arm({ type: 'commit_held' });
    const held = commitFaults.held();
    const answer = this.inject(call, server);
    await Promise.race([answer, held]);
    commitFaults.disarm();
    if (commitFaults.isHolding) commitFaults.heldCall = answer;
    return { answer };
  }

  /** Releases a held commit and waits for its call. */
  releaseCommit(): Promise<void> {
    return this.cluster.commitFaults.settle();
  }

  async signIn(person: Person): Promise<string> {
    const answer = await this.inject(
      {
        method: 'POST',
        path: '/users/login',
        token: '',
        body: JSON.stringify({ email: person.email, password: 'pw' }),
      },
      this.anyServer(),
    );
    return (answer!.json as { data: { accessToken: string } }).data.accessToken;
  }

  /** Ends every session on the server, so that its token is rejected. */
  async endSessions(): Promise<void> {
    await this.cluster.query('update sessions set ended_at = $2 where clinic_id = $1 and ended_at is null', [
      this.id,
      new Date(this.scheduler.nowMs),
    ]);
  }

  private async inject({ method, path, token, body }: Call, server: number): Promise<NetResponse> {
    const reply = await this.cluster.apps[server]!.inject({
      method,
      url: `/api${path}`,
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { payload: body }),
    });
    return { status: reply.statusCode, json: JSON.parse(reply.body) as unknown, retryAfterMs: null };
  }

  private async releaseIfBlocked(answer: Promise<unknown>): Promise<void> {
    let isDone = false;
    const done = answer.then(
      () => (isDone = true),
      () => (isDone = true),
    );
    while (!isDone) {
      const waiting = await this.cluster.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event in ('advisory', 'tuple', 'transactionid')`,
      );
      if (waiting.length > 0 && !isDone) return this.releaseCommit();
      await Promise.race([done, new Promise((resolve) => setTimeout(resolve, 1))]);
    }
  }
}
