/**
 * How much one person on one device, one person and one clinic may ask of this process (decision 047). A budget is a bucket
 * that fills at a steady rate: a screen or an outbox may take much at once, and nobody much for ever. Somebody at
 * another's tablet has a budget of their own, so nobody uses up a budget of somebody else.
 */
import type { Session } from '../context.ts';
import { filled } from './budget-level.ts';
import type { Budget, Level } from './budget-level.ts';
import { WaitingLine } from './waiting-line.ts';
import type { Asked } from './waiting-line.ts';

/**
 * Requests. A tablet asks a few times a minute and twice with each sale, a back-office page up to 15 times at once, and a
 * first pull of 200,000 patients some 250 times, one after the other. A clinic of two hundred tablets asks 30 times a second.
 */
const requests = {
  station: { most: 600, perSecond: 20 },
  person: { most: 1200, perSecond: 40 },
  clinic: { most: 12_000, perSecond: 400 },
} as const satisfies Record<string, Budget>;

/**
 * What is refused and leaves a row: an operation, a keyed write, a denial. A tablet that was offline for days, and of which
 * the server refuses everything, brings some hundred.
 */
const refusals: Budget = { most: 500, perSecond: 0.2 };

/** A refusal costs one more for each so many characters of what was refused: most have two thousand, and all of them are stored. */
const refusedCharacters = 8000;

/**
 * What an account does with a right password or passkey: each sign-in stores a session, and each look at a password takes a
 * thread for a tenth of a second. Nobody signs in every minute.
 */
const secrets: Budget = { most: 60, perSecond: 1 / 60 };

/** Mails that somebody asks for to see whether they arrive: while an address is being set up, a few in a row. */
const testMails: Budget = { most: 5, perSecond: 1 / 120 };

type Person = Pick<Session, 'clinicId' | 'userId' | 'deviceId'>;
type Account = Pick<Session, 'clinicId' | 'userId'>;

/** Budgets that are full again are forgotten when there are this many. */
const mostKept = 20_000;

export class Budgets {
  private readonly levels = new Map<string, Level>();
  /** The lines of tokens whose requests were turned away. */
  private readonly lines = new Map<string, WaitingLine>();

  constructor(
    private readonly clock: () => number,
    private readonly isLimited: boolean,
  ) {}

  /** Returns the seconds that a request has to wait because others of its token do; 0 when it may be looked at. */
  waitOf(token: string, asked: Asked): number {
    return this.lines.get(token)?.knock(asked, this.clock()) ?? 0;
  }

  /** Takes one request of a token. Returns the seconds to wait; 0 when it may be served. */
  request({ clinicId, userId, deviceId }: Person, token: string, asked: Asked): number {
    if (!this.isLimited) return 0;
    const levels = [
      this.level(`station ${clinicId} ${userId} ${deviceId ?? ''}`, requests.station),
      this.level(`person ${clinicId} ${userId}`, requests.person),
      this.level(`clinic ${clinicId}`, requests.clinic),
    ];
    const line = this.lines.get(token);
    line?.entered();
    const emptiest = levels.reduce((one, other) => (secondsUntilOne(other) > secondsUntilOne(one) ? other : one));
    if (secondsUntilOne(emptiest) > 0) return this.join(token, line ?? new WaitingLine(emptiest), asked, emptiest);
    for (const level of levels) level.left -= 1;
    if (line?.isEmpty) this.lines.delete(token);
    return 0;
  }

  /** Returns the seconds to wait before anything more of this person and device may be refused. */
  beforeRefusals(person: Person): number {
    return this.isLimited ? secondsUntilOne(this.refusalsOf(person)) : 0;
  }

  /**
   * Takes what was refused, a list of operations or bodies. A batch may take more than is left.
   *
   * @param bodies undefined for a request without one
   */
  refused(person: Person, bodies: readonly unknown[]): void {
    if (!this.isLimited || bodies.length === 0) return;
    const characters = bodies.map((body) => JSON.stringify(body)?.length ?? 0);
    this.refusalsOf(person).left -= characters.reduce((sum, one) => sum + 1 + Math.floor(one / refusedCharacters), 0);
  }

  /** Returns the seconds to wait before a password or a passkey of an account is looked at. */
  beforeSecret(account: Account): number {
    return this.isLimited ? secondsUntilOne(this.secretsOf(account)) : 0;
  }

  /** Takes a password or a passkey that was right. Wrong ones are counted elsewhere, so nobody uses up the budget of another. */
  secretUsed(account: Account): void {
    if (this.isLimited) this.secretsOf(account).left -= 1;
  }

  /** Takes one test mail of a clinic. Returns the seconds to wait; 0 when it may be sent. */
  testMail({ clinicId }: Pick<Session, 'clinicId'>): number {
    if (!this.isLimited) return 0;
    const level = this.level(`test mails ${clinicId}`, testMails);
    const wait = secondsUntilOne(level);
    if (wait === 0) level.left -= 1;
    return wait;
  }

  private secretsOf({ clinicId, userId }: Account): Level {
    return this.level(`secrets ${clinicId} ${userId}`, secrets);
  }

  private join(token: string, line: WaitingLine, asked: Asked, level: Level): number {
    if (this.lines.size >= mostKept) this.lines.clear();
    this.lines.set(token, line);
    return line.join(asked, this.clock(), level);
  }

  private refusalsOf({ clinicId, userId, deviceId }: Person): Level {
    return this.level(`refusals ${clinicId} ${userId} ${deviceId ?? ''}`, refusals);
  }

  private level(name: string, budget: Budget): Level {
    const atMs = this.clock();
    const known = this.levels.get(name);
    if (known) return filled(known, atMs);
    if (this.levels.size >= mostKept) this.forget(atMs);
    const level = { ...budget, left: budget.most, atMs };
    this.levels.set(name, level);
    return level;
  }

  private forget(atMs: number): void {
    for (const [name, level] of this.levels) if (filled(level, atMs).left >= level.most) this.levels.delete(name);
  }
}

const secondsUntilOne = ({ left, perSecond }: Level & Budget): number =>
  left >= 1 ? 0 : Math.ceil((1 - left) / perSecond);
