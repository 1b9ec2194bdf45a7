/**
 * One history: some tablets, some work, some trouble, and then a network that works again, in which everything must come to
 * rest within a bounded time. Everything in it follows from the seed.
 */
import './quiescence.ts';
import type { Result } from '../../domain/result.ts';
import type { AnyOperation } from '../../domain/protocol/operations.ts';
import type { Call } from '../../sw/sync/ports.ts';
import { audit } from './auditor.ts';
import { auditScreen } from './audit-screen.ts';
import { restoreBackup, takeBackup } from './backup.ts';
import type { Backup } from './backup.ts';
import { jobs, work } from './clerk.ts';
import type { Job, Told } from './clerk.ts';
import { Clinic } from './clinic.ts';
import type { Engineering } from './engineering.ts';
import { drawProfile } from './faults.ts';
import type { Profile } from './faults.ts';
import { heal } from './healing.ts';
import { Fleet } from './fleet.ts';
import type { History } from './history.ts';
import type { House } from './house.ts';
import { befall } from './incidents.ts';
import { Network } from './network.ts';
import { Notebook } from './notebook.ts';
import type { Entry } from './notebook.ts';
import { chanceOf } from './random.ts';
import type { Chance } from './random.ts';
import { seenInCall } from './sightings.ts';
import { Tablet } from './tablet.ts';
import type { Process } from './process.ts';
import { World } from './world.ts';

export interface Simulated {
  history: History;
  /** What the auditor found; nothing when all is well. */
  complaints: string[];
}

export async function simulate(
  seed: number,
  house: House,
  engineering: Engineering = {},
  profile = drawProfile(chanceOf(seed, 'profile')),
): Promise<Simulated> {
  const shift = await Shift.open(seed, house, engineering, profile);
  const complaints = await shift.run();
  return { history: shift.world.history, complaints };
}

export class Shift {
  readonly world = new World();
  readonly notebook = new Notebook();
  readonly tablets: Tablet[] = [];
  readonly chance: Chance;
  readonly network: Network;
  wasRestored = false;
  /** Who brought an operation to the server that its own tablet had not brought yet. */
  readonly rescued = new Map<string, number>();
  /** Counts what shows that not all is at rest yet: work sent, sign-ins, calls that were turned away. */
  stirrings = 0;
  backup: { rows: Backup; forget: () => void } | null = null;

  private constructor(
    seed: number,
    readonly clinic: Clinic,
    world: World,
    readonly profile: Profile,
    engineering: Engineering,
  ) {
    this.world = world;
    this.chance = chanceOf(seed, 'shift');
    this.network = new Network({
      world,
      clinic,
      chance: chanceOf(seed, 'network'),
      profile,
      witness: (call, answer) => {
        this.notebook.witness(call, answer);
        for (const sight of seenInCall(call, answer)) world.history.count(`seen ${sight}`);
        if (call.path === '/sync/batch' || answer?.status !== 200) this.stirrings += 1;
        this.pokeOthers(call);
      },
      rewrite: (from, call, server) => this.asWritten(from, call, server),
    });
    for (let index = 0; index < profile.tablets; index++) {
      const tablet = new Tablet({
        name: `tablet${index + 1}`,
        seed,
        world,
        clinic,
        host: profile.host,
        engineering,
        wire: (from, call) => this.network.send(from, call),
      });
      tablet.skewMs = profile.skewsMs[index] ?? 0;
      this.tablets.push(tablet);
    }
  }

  static async open(seed: number, house: House, engineering: Engineering, profile: Profile): Promise<Shift> {
    const world = new World();
    const clinic = await Clinic.open(
      house,
      world,
      new Fleet({ world, chance: chanceOf(seed, 'fleet') }, profile.servers),
    );
    const shift = new Shift(seed, clinic, world, profile, engineering);
    await shift.openDoors();
    return shift;
  }

  /** Every tablet is enrolled and has the catalogue; everyone has signed in everywhere once. */
  private async openDoors(): Promise<void> {
    this.network.isHealed = true;
    for (const tablet of this.tablets) {
      await this.world.now(() => tablet.enrol());
      await this.world.now(() => tablet.sync('signed-in'));
    }
    await this.world.runFor(2000);
    this.network.isHealed = false;
  }

  async run(): Promise<string[]> {
    const { profile, chance, world } = this;
    if (profile.servers > 1) this.clinic.fleet.planUpgrade(profile.pieces * profile.pauseMs[1]);
    if (profile.incidents.server_restored) await this.world.now(() => this.keepBackup());
    // Many a day begins with the drawer.
    if (chance.happens(0.4)) await world.now(() => this.begin(this.tablets[0]!.tab(), 'open_drawer'));
    for (let piece = 0; piece < profile.pieces; piece++) {
      const incident = chance.weighted(profile.incidents);
      if (incident !== 'nothing') await world.now(() => befall(this, incident));
      const tablet = chance.pick(this.tablets);
      await world.now(() => this.atWork(tablet, incident === 'work_in_two_tabs_at_once'));
      if (chance.happens(0.2)) await world.now(() => tablet.sync(chance.pick(['timer', 'visible', 'online'] as const)));
      await world.now(() => this.lookAfterSessions());
      await world.runFor(chance.between(...profile.pauseMs));
      if (chance.happens(0.35)) await world.now(() => this.look(tablet));
    }
    return this.finish();
  }

  /** The network heals; then all must come to rest. */
  async finish(): Promise<string[]> {
    await heal(this);
    for (const { durable } of this.tablets) this.world.history.count('operations', durable.length);
    return [...this.notebook.complaints, ...(await audit(this))];
  }

  /** Somebody looks at the screen in the middle of it all. */
  private async look(tablet: Tablet): Promise<void> {
    const at = new Date(this.world.nowMs).toISOString();
    this.notebook.complaints.push(...(await auditScreen(tablet)).map((complaint) => `at ${at} ${complaint}`));
  }

  private atWork(tablet: Tablet, inTwoTabs: boolean): void {
    const { chance } = this;
    const tabs = inTwoTabs ? [tablet.tab(0), tablet.tab(1)] : [tablet.tab(chance.between(0, 1))];
    if (inTwoTabs) this.world.history.count('incident work_in_two_tabs_at_once');
    for (const tab of tabs) this.begin(tab, chance.weighted(jobs));
    tablet.sync('write');
  }

  begin(tab: Process, job: Job): void {
    const { tablet } = tab;
    const entry: Entry = {
      tablet: tablet.name,
      job,
      actorId: tablet.person.id,
      outcome: { type: 'never_heard' },
      operations: [],
    };
    this.notebook.entries.push(entry);
    entry.operations = tab.written = [] as AnyOperation[];
    work(job, tab.context, this.chance).then(
      (result) => this.told(tab, entry, result),
      (error: unknown) => (tab.isAlive ? this.world.fail(error) : undefined),
    );
  }

  private told(tab: Process, entry: Entry, result: Result<Told> | null): void {
    if (!tab.isAlive) return;
    if (result?.ok) entry.outcome = { type: 'confirmed', told: result.value };
    else entry.outcome = { type: 'refused', code: result ? result.refusal.code : 'NOTHING_TO_DO' };
    const says = result?.ok ? 'confirmed' : entry.outcome.type === 'refused' ? entry.outcome.code : '';
    this.world.note(tab.name, `${entry.job} ${says} ${entry.operations.map(({ op_id }) => op_id.slice(-6)).join(' ')}`);
    if (result?.ok) this.world.history.count(`work ${entry.job}`);
  }

  async takeOver(tablet: Tablet): Promise<void> {
    if (tablet.isOnline) await tablet.signIn(this.chance.pick(this.clinic.people));
    else tablet.person = this.chance.pick([...tablet.known]);
  }

  /** Whoever sees that a sign-in is asked for, signs in. */
  async lookAfterSessions(attention = 0.3): Promise<void> {
    const served: Tablet[] = [];
    for (const tablet of this.tablets) {
      if (!tablet.isOnline || !this.chance.happens(attention)) continue;
      const db = tablet.aside();
      const [sync, session] = await Promise.all([db.sync.get('this'), db.session.get('this')]);
      if (session && sync?.link !== 'paused') continue;
      await tablet.signIn(this.chance.pick(this.clinic.people));
      served.push(tablet);
    }
    // Only now, for a sign-in takes as long as PostgreSQL likes, and nothing else may happen meanwhile.
    for (const tablet of served) tablet.sync('signed-in');
    this.stirrings += served.length;
  }

  async keepBackup(): Promise<void> {
    await this.clinic.letGo();
    this.backup = { rows: await takeBackup(this.clinic), forget: this.notebook.pageMark() };
  }

  async restore(): Promise<void> {
    await restoreBackup(this.clinic, this.backup!.rows);
    this.backup!.forget();
    this.wasRestored = true;
  }

  /** Other tablets hear that something changed, if they can. */
  private pokeOthers({ path }: Call): void {
    if (path !== '/sync/batch') return;
    for (const tablet of this.tablets) {
      if (tablet.isOnline && this.chance.happens(0.25))
        this.world.after(this.chance.between(50, 900), () => tablet.sync('changes'));
    }
  }

  /** A newer app marks its operations with a version that a server only knows once it is upgraded. */
  private asWritten({ tablet }: Process, call: Call, server: number): Call {
    if (this.clinic.fleet.isUpgraded(server) || call.body === undefined || tablet.newerOperations.size === 0)
      return call;
    const body = JSON.parse(call.body) as { operations?: AnyOperation[] };
    if (!body.operations) return call;
    const operations = body.operations.map((operation) =>
      tablet.newerOperations.has(operation.op_id) ? { ...operation, v: 2 } : operation,
    );
    return { ...call, body: JSON.stringify({ operations }) };
  }
}
