/** One clinic behind the real handlers: its people, its shelf, and the way in. Calls run one after another. */
import { users } from '../../../server/db/schema/access.ts';
import { products, stockItems, productIngredients } from '../../../server/db/schema/catalogue.ts';
import { queriesOver } from '../../../server/db/database.ts';
import { inTransaction } from '../../../server/db/transaction.ts';
import { createClinic } from '../../../server/modules/clinics/service.ts';
import type { Role } from '../../../domain/staff/roles.ts';
import type { NetResponse, Call } from '../../../sw/sync/ports.ts';
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

const stockOnHand = [
  { name: 'Anaesthetic', cost: 350, quantity: 40_000 },
  { name: 'Cleaning', cost: 6000, quantity: 12_000 },
  { name: 'Filling', cost: 8550, quantity: 5000 },
];
/** A product that uses two supplies. */
const crown = {
  name: 'Crown',
  price: 42_000,
  uses: [
    [0, 2000],
    [2, 1500],
  ] as const,
};

export class Clinic {
  readonly people: Person[] = [];
  readonly initialStock: InitialStock[] = [];
  /** By product: what one of it uses, in thousandths by stock item. */
  readonly recipes = new Map<number, Map<number, number>>();
  private held: Promise<unknown> | null = null;

  private constructor(
    readonly id: number,
    readonly cluster: Cluster,
    private readonly scheduler: Scheduler,
    readonly servers: ServerPool,
  ) {}

  static async open(cluster: Cluster, scheduler: Scheduler, servers: ServerPool): Promise<Clinic> {
    cluster.setClock(() => scheduler.nowMs);
    const pool = cluster.database.$client;
    const createdAt = scheduler.nowMs;
    return inTransaction(pool, async (sql) => {
      const tx = queriesOver(sql);
      const id = await createClinic(sql, { settings: { time_zone: 'Europe/Madrid' }, createdAt });
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
          stockOnHand.map(({ name, cost, quantity }) => ({
            clinicId: id,
            name,
            searchKey: name.toLowerCase(),
            costMinor: cost,
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

  /** One call from a tablet, through the real handlers of one server. A fault meets it inside. */
  async call(call: Call, server = this.anyServer(), fault: CommitFault | null = null): Promise<NetResponse> {
    const { commitFaults } = this.cluster;
    if (fault) {
      await this.releaseCommit();
      commitFaults.arm(fault);
    }
    return this.answerTo(call, server).finally(() => fault && commitFaults.disarm());
  }

  /** Whoever is up, or else the first. */
  private anyServer(): number {
    return this.servers.next() ?? 0;
  }

  private async answerTo(call: Call, server: number): Promise<NetResponse> {
    const answer = this.inject(call, server);
    if (this.held) await this.unlessStuck(answer);
    return answer;
  }

  /** A call whose commit is held: resolves when it is, or when it ended without one. The answer comes once it is let go. */
  async callAndHold(call: Call, server: number): Promise<{ answer: Promise<NetResponse> }> {
    const { commitFaults } = this.cluster;
    await this.releaseCommit();
    commitFaults.arm({ type: 'commit_held' });
    const held = commitFaults.held();
    const answer = this.inject(call, server);
    await Promise.race([answer, held]);
    commitFaults.disarm();
    if (commitFaults.isHolding) this.held = answer;
    return { answer };
  }

  /** Lets a held commit happen. */
  async releaseCommit(): Promise<void> {
    this.cluster.commitFaults.releaseCommit();
    await this.held;
    this.held = null;
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

  /** Everyone has worked with this device before, as far as the server knows. */
  async everyoneWasHere(deviceId: number): Promise<void> {
    await this.cluster.ask(
      `insert into sessions (clinic_id, jti, user_id, device_id, created_at, expires_at, ended_at)
       select $1, gen_random_uuid(), id, $2, $3, $3, $3 from users where clinic_id = $1`,
      [this.id, deviceId, new Date(this.scheduler.nowMs)],
    );
  }

  /** The sessions end on the server; tokens that stand for them are turned away from now on. */
  async endSessions(): Promise<void> {
    await this.cluster.ask('update sessions set ended_at = $2 where clinic_id = $1 and ended_at is null', [
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

  /** With a commit held, a call may wait for its locks: then there is nothing for it but to let that commit happen. */
  private async unlessStuck(answer: Promise<NetResponse>): Promise<void> {
    let isDone = false;
    const done = answer.then(
      () => (isDone = true),
      () => (isDone = true),
    );
    while (!isDone) {
      const waiting = await this.cluster.ask(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event in ('advisory', 'tuple', 'transactionid')`,
      );
      if (waiting.length > 0 && !isDone) return this.releaseCommit();
      await Promise.race([done, new Promise((resolve) => setTimeout(resolve, 1))]);
    }
  }
}
