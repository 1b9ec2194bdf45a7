/**
 * The faults of a history and their frequency. Each seed draws only a few kinds, because a history in which everything fails
 * at once hides what a pair of faults alone would show.
 */
import type { Random } from '#tests/support/random.ts';

/** Faults of a single call. */
export const networkFaults = [
  'request_lost',
  'reply_lost',
  'duplicated',
  'delayed',
  'too_late',
  'swallowed',
  'portal_page',
  'portal_json',
  'busy_429',
  'unavailable_503',
  'proxy_413',
  'server_killed_before_commit',
  'server_killed_after_commit',
  'commit_unknown',
  'statement_fails',
  'repeatable_failure',
  'commit_held',
] as const;
export type NetworkFault = (typeof networkFaults)[number];

/** Incidents that hit a tablet or the server between two actions. */
export const incidents = [
  'offline_spell',
  'session_ended',
  'signed_out',
  'tab_killed',
  'worker_killed',
  'connection_lost',
  'storage_full_at_write',
  'storage_full_at_commit',
  'storage_lost_at_write',
  'storage_lost_after_commit',
  'clock_jumped',
  'server_restored',
  'poison_written',
  'newer_app_writes',
  'work_in_two_tabs_at_once',
  'other_person_takes_over',
  'rescue_file_sent',
  'item_deleted',
  'storage_cloned',
] as const;
/** Incidents that take too long to be frequent: hundreds of operations without a network. */
export const rareIncidents = ['long_offline_shift'] as const;
export type Incident = (typeof incidents)[number] | (typeof rareIncidents)[number];

/** Faults of a call to the tax agency, and the death of the process that makes it. */
export const agencyFaults = [
  'agency_down',
  'agency_unreachable',
  'agency_slow',
  'agency_late',
  'agency_reply_lost',
  'agency_garbled',
  'agency_refuses',
  'agency_asks_to_wait',
  'sender_killed',
] as const;
export type AgencyFault = (typeof agencyFaults)[number];

/** What the tax agency says of a record that it has not seen. */
export const verdicts = ['rejects', 'warns', 'breaks_schema'] as const;
export type AgencyVerdict = (typeof verdicts)[number];

/** A clinic with the Spanish tax profile, whose records are sent to the tax agency. */
export interface FiscalProfile {
  /** A second clinic of the same taxpayer works meanwhile. */
  hasSister: boolean;
  /** The time between two looks of a sender for records to send. */
  lookMs: number;
  agencyFaults: Partial<Record<AgencyFault | 'answers', number>>;
  verdicts: Partial<Record<AgencyVerdict | 'accepts', number>>;
  /** The agency says the hash that it has when it has a number already. */
  tellsHash: boolean;
}

export interface Profile {
  tablets: number;
  /** Number of server processes. */
  servers: number;
  host: 'worker' | 'pages';
  latencyMs: readonly [number, number];
  /** Weights of the faults, and of a call that arrives unharmed. */
  networkFaults: Partial<Record<NetworkFault | 'arrives', number>>;
  incidents: Partial<Record<Incident | 'nothing', number>>;
  steps: number;
  pauseMs: readonly [number, number];
  /** How long a tablet is offline. */
  offlineMs: readonly [number, number];
  skewsMs: number[];
  /** Null without a tax profile. */
  fiscal: FiscalProfile | null;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

export function drawProfile(random: Random): Profile {
  const some = <K extends string>(kinds: readonly K[], probability: number) =>
    Object.fromEntries(
      kinds.filter(() => random.happens(probability)).map((kind) => [kind, 1 + random.between(0, 2)]),
    ) as Partial<Record<K, number>>;
  const tablets = random.weighted({ '1': 2, '2': 6, '3': 1 });
  const faultFree = random.happens(0.1);
  const drawn = {
    tablets: Number(tablets),
    host: random.happens(0.75) ? ('worker' as const) : ('pages' as const),
    latencyMs: random.pick([
      [20, 60],
      [50, 800],
      [500, 4000],
    ] as const),
    networkFaults: { ...(faultFree ? {} : some(networkFaults, 0.3)), arrives: random.pick([3, 10, 30]) },
    incidents: {
      ...(faultFree ? {} : some(incidents, 0.3)),
      nothing: random.pick([4, 12]),
      ...(random.happens(0.015) && { long_offline_shift: 2 }),
    },
    steps: random.between(6, 14),
    pauseMs: random.pick([
      [0, 3000],
      [1000, 30_000],
      [10_000, 240_000],
    ] as const),
    skewsMs: Array.from({ length: 3 }, () => random.pick([0, 0, random.between(-90_000, 90_000), dayMs, -dayMs])),
  };
  const servers = random.happens(1 / 3) ? 4 : 1;
  const offlineMs = [5000, 600_000] as const;
  const fiscal = random.happens(0.4) ? drawFiscal(random, some, faultFree) : null;
  if (!fiscal) return { ...drawn, servers, offlineMs, fiscal };
  // The agency is called once a minute, so much happens between two calls of a busy clinic, or little.
  const pace = random.weighted({ drawn: 4, minutes: 3, days: 3 });
  const steps = drawn.steps + random.between(0, 10);
  if (pace === 'days') {
    const days = { pauseMs: [60_000, 4 * hourMs] as const, offlineMs: [hourMs, 3 * dayMs] as const };
    return { ...drawn, servers, steps, ...days, fiscal: { ...fiscal, lookMs: 10 * 60_000 } };
  }
  const pauseMs = pace === 'minutes' ? ([10_000, 240_000] as const) : drawn.pauseMs;
  return { ...drawn, servers, steps, pauseMs, offlineMs, fiscal };
}

type DrawSome = <K extends string>(kinds: readonly K[], probability: number) => Partial<Record<K, number>>;

const drawFiscal = (random: Random, some: DrawSome, faultFree: boolean): FiscalProfile => ({
  hasSister: random.happens(0.25),
  lookMs: random.pick([5000, 20_000, 60_000]),
  agencyFaults: { ...(faultFree ? {} : some(agencyFaults, 0.35)), answers: random.pick([2, 6]) },
  verdicts: { ...(faultFree ? {} : some(verdicts, 0.3)), accepts: 12 },
  tellsHash: random.happens(0.3),
});

/**
 * Draws a profile in which people and tablets often change, long shifts without a network are frequent, and the tax agency often
 * rejects, garbles its answer or asks to wait.
 */
export function drawRareProfile(random: Random): Profile {
  const drawn = drawProfile(random);
  return {
    ...drawn,
    tablets: 2,
    steps: 16,
    incidents: {
      ...drawn.incidents,
      nothing: 12,
      poison_written: 3,
      other_person_takes_over: 3,
      offline_spell: 3,
      storage_cloned: 3,
      item_deleted: 3,
      long_offline_shift: 0.5,
    },
    fiscal: drawn.fiscal && {
      ...drawn.fiscal,
      agencyFaults: { ...drawn.fiscal.agencyFaults, agency_garbled: 1, agency_asks_to_wait: 1 },
      verdicts: { ...drawn.fiscal.verdicts, rejects: 2 },
    },
  };
}
