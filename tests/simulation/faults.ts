/**
 * Which troubles a history meets, and how often. Each seed draws a few kinds only: histories in which everything breaks at
 * once hide what two troubles alone would show.
 */
import type { Chance } from './random.ts';

/** What may become of one call on its way. */
export const fates = [
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
export type Fate = (typeof fates)[number];

/** What may happen to a tablet or the server between two pieces of work. */
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
  'poison_planted',
  'newer_app_writes',
  'work_in_two_tabs_at_once',
  'other_person_takes_over',
  'rescue_file_sent',
  'item_deleted',
  'storage_cloned',
] as const;
/** Too long to happen often: hundreds of operations without a network. */
export const rareIncidents = ['long_offline_shift'] as const;
export type Incident = (typeof incidents)[number] | (typeof rareIncidents)[number];

export interface Profile {
  tablets: number;
  /** How many serve side by side. */
  servers: number;
  host: 'worker' | 'pages';
  latencyMs: readonly [number, number];
  /** How much of the traffic goes wrong, and how. */
  fates: Partial<Record<Fate | 'arrives', number>>;
  incidents: Partial<Record<Incident | 'nothing', number>>;
  pieces: number;
  pauseMs: readonly [number, number];
  skewsMs: number[];
}

const dayMs = 86_400_000;

export function drawProfile(chance: Chance): Profile {
  const some = <K extends string>(kinds: readonly K[], probability: number) =>
    Object.fromEntries(
      kinds.filter(() => chance.happens(probability)).map((kind) => [kind, 1 + chance.between(0, 2)]),
    ) as Partial<Record<K, number>>;
  const tablets = chance.weighted({ '1': 2, '2': 6, '3': 1 });
  const calm = chance.happens(0.1);
  const drawn = {
    tablets: Number(tablets),
    host: chance.happens(0.75) ? ('worker' as const) : ('pages' as const),
    latencyMs: chance.pick([
      [20, 60],
      [50, 800],
      [500, 4000],
    ] as const),
    fates: { ...(calm ? {} : some(fates, 0.3)), arrives: chance.pick([3, 10, 30]) },
    incidents: {
      ...(calm ? {} : some(incidents, 0.3)),
      nothing: chance.pick([4, 12]),
      ...(chance.happens(0.015) && { long_offline_shift: 2 }),
    },
    pieces: chance.between(6, 14),
    pauseMs: chance.pick([
      [0, 3000],
      [1000, 30_000],
      [10_000, 240_000],
    ] as const),
    skewsMs: Array.from({ length: 3 }, () => chance.pick([0, 0, chance.between(-90_000, 90_000), dayMs, -dayMs])),
  };
  return { ...drawn, servers: chance.happens(1 / 3) ? 4 : 1 };
}
