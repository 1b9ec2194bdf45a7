/** The clinic under attack: a real server process on a real PostgreSQL, with one person and one device of each role. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Role } from '#domain/staff/roles.ts';
import { roles } from '#domain/staff/roles.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import { startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts';
import { openDatabase } from '#server/db/database.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { actorKeyOf } from '#server/operations/proof.ts';
import { createClinic } from '#server/modules/clinics/service.ts';
import { overHttp, request } from '../failover/http-tablet.ts';
import { TestDevice } from '../support/device.ts';
import { newId } from '../support/unique.ts';
import { knownUuids } from '../support/fuzz-requests.ts';
import type { Known } from '../support/fuzz-requests.ts';
import { routesIn } from '../support/openapi-routes.ts';
import type { Route } from '../support/openapi-routes.ts';
import { actorKeyIn } from '../support/proofs.ts';
import { addUser } from '../support/server.ts';
import { copyBuild, ServerProcess } from '../support/server-process.ts';
import type { Bystanders } from './attacks.ts';

/** Requests use ids up to this one, so they hit rows of the demo clinic and nobody who takes part in the test. */
const lastId = 30;
/** The first id of the people, devices and sessions that take part. */
export const firstOwnId = 1000;

/** Attackers come from here, so that their failed sign-ins keep nobody else out. */
export const outside = { 'x-forwarded-for': '203.0.113.7' };

export class Testbed {
  private constructor(
    readonly server: ServerProcess,
    readonly database: Database,
    /** The attacked clinic, and another one on the same server. */
    readonly clinicId: number,
    readonly otherClinicId: number,
    readonly routes: Route[],
    private readonly end: () => Promise<void>,
  ) {}

  static async create({
    settings = {},
    environment: further = {},
  }: { settings?: Partial<ClinicSettings>; environment?: Record<string, string> } = {}): Promise<Testbed> {
    const folder = await mkdtemp(path.join(tmpdir(), 'dental-counter-fuzz-'));
    const postgres = await startEmbeddedPostgres({ dataDir: folder });
    // A run is long, and a build meanwhile must not change it.
    const build = await copyBuild();
    const environment = { DATABASE_URL: postgres.connectionString, TRUST_PROXY: '127.0.0.1', LOG_LEVEL: 'error' };
    const demo = await ServerProcess.create(environment, build);
    await demo.stop();
    await rm(demo.dataDir, { recursive: true, force: true });
    // A demo answers nothing that came through a proxy, and attackers have an address of their own.
    const server = await ServerProcess.create({ REQUEST_LIMITS: '0', DEMO: '0', ...environment, ...further }, build);
    const database = openDatabase(postgres.connectionString);
    const pool = database.$client;
    for (const table of ['users', 'devices', 'sessions'])
      await pool.query(`alter table ${table} alter column id restart with ${firstOwnId}`);
    const { rows } = await pool.query<{ id: number }>('select id from clinics');
    await pool.query('update settings set data = data || $1', [settings]);
    const otherClinicId = await inTransaction(pool, (sql) =>
      createClinic(sql, { settings: { time_zone: 'Europe/Madrid' }, createdAt: Date.now() }),
    );
    const document = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as object;
    return new Testbed(server, database, rows[0]!.id, otherClinicId, routesIn(document), async () => {
      await pool.end();
      await server.stop();
      await postgres.stop();
      for (const each of [folder, build, server.dataDir]) await rm(each, { recursive: true, force: true });
    });
  }

  close(): Promise<void> {
    return this.end();
  }

  /** Signs in a new person. Returns the bearer token. */
  async signIn(role: Role, clinicId = this.clinicId): Promise<string> {
    const { email, password } = await addUser(this.database, { clinicId, role, at: Date.now() });
    const payload = { email, password };
    const reply = await request(this.server.url, { method: 'POST', url: '/api/users/login', payload });
    return (reply.json() as { data: { accessToken: string } }).data.accessToken;
  }

  /** Signs in a new person on a new device. */
  enrol(role: Role, clinicId = this.clinicId): Promise<TestDevice> {
    const login = () => this.signIn(role, clinicId);
    return TestDevice.enrol(Object.assign(overHttp(this.server.url), { login }), role);
  }

  async enrolAll(): Promise<Map<Role, TestDevice>> {
    const devices = new Map<Role, TestDevice>();
    for (const role of roles) devices.set(role, await this.enrol(role));
    return devices;
  }

  /** Returns what requests may name: rows of the demo clinic. */
  async known({ userId, info }: TestDevice): Promise<Known> {
    const uuids = await knownUuids(this.database.$client, this.clinicId);
    return { uuids, lastId, actorId: userId, key: actorKeyIn(info) };
  }

  /** Returns a manager who approves on all devices, and one who was deactivated after having signed in there. */
  async approvers(manager: TestDevice): Promise<Pick<Bystanders, 'approvers' | 'keyOn'>> {
    const pool = this.database.$client;
    const { id } = await addUser(this.database, { clinicId: this.clinicId, role: 'manager', at: Date.now() });
    await pool.query(`update users set deactivated_at = $2, status = 'inactive' where id = $1`, [id, new Date()]);
    const { rows } = await pool.query<{ secret: Buffer }>(
      'select actor_key_secret as secret from clinics where id = $1',
      [this.clinicId],
    );
    const keyOn = ({ info }: TestDevice, userId: number) => {
      const place = { userId, deviceId: info.device_id, sessionId: info.session_id! };
      return { deviceId: info.device_id, sessionId: info.session_id!, bytes: actorKeyOf(rows[0]!.secret, place) };
    };
    return { approvers: { manager: manager.userId, deactivated: id }, keyOn };
  }

  /** Returns a treatment and an open drawer that the manager makes, for operations on them. */
  async targets(manager: TestDevice): Promise<{ created: ReturnType<TestDevice['create']>; drawerId: string }> {
    const created = manager.create();
    const drawerId = newId();
    await manager.send(created, manager.operation('drawer.open', { drawer_id: drawerId, currency: 'EUR', float: 50 }));
    return { created, drawerId };
  }
}
