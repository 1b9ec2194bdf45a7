/**
 * The faults of a history and their frequency. Each seed draws only a few kinds, because a history in which everything fails
 * at once hides what a pair of faults alone would show.
 */
import type { Random } from '../../support/random.ts';

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
  skewsMs: number[];
}

const dayMs = 86_400_000;

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
  return { ...drawn, servers: random.happens(1 / 3) ? 4 : 1 };
}

/** Draws a profile in which people and tablets often change, and in which long shifts without a network are frequent. */
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
  };
}
