/** The requests of a run, drawn from its seed: any of them can be drawn again without those before it. */
import fc from 'fast-check';
import { oddRequest } from '../support/fuzz-requests.ts';
import type { Known, OddRequest } from '../support/fuzz-requests.ts';
import type { Route } from '../support/openapi-routes.ts';
import { attack } from './attacks.ts';
import { hugeRun } from './huge-runs.ts';
import type { HugeRun } from './huge-runs.ts';
import type { Attack } from './attacks.ts';

type Sent =
  /** `stolenKey` chooses an operation whose id the request has as its key; null leaves it the key that it has. */
  { type: 'request'; request: OddRequest; stolenKey: number | null } | { type: 'attack'; attack: Attack };

/** `run` takes the place of a text of the body. */
export type Planned = Sent & { run: HugeRun | null };

/** Requests are drawn in chunks, each by a seed of its own. */
const chunkSize = 500;

/**
 * The stream of events never ends by itself, and a sign-out would end the session that sends the rest. A test mail takes as long as
 * the mail server keeps silent.
 */
const leftOut = new Set(['/api/sync/events', '/api/auth/logout', '/api/settings/test-mail']);

/** Yields the requests from one index on, with their index. */
export function* plannedRequests(
  { seed, from, count }: { seed: number; from: number; count: number },
  routes: readonly Route[],
  known: Known,
): Generator<{ index: number; planned: Planned }> {
  const sent: fc.Arbitrary<Sent> = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        type: fc.constant('request' as const),
        request: oddRequest(
          routes.filter(({ path }) => !leftOut.has(path)),
          known,
        ),
        stolenKey: fc.oneof(
          { weight: 15, arbitrary: fc.constant(null) },
          { weight: 1, arbitrary: fc.integer({ min: 0, max: 999_999 }) },
        ),
      }),
    },
    { weight: 2, arbitrary: attack.map((drawn) => ({ type: 'attack' as const, attack: drawn })) },
  );
  const planned: fc.Arbitrary<Planned> = fc.tuple(sent, hugeRun).map(([one, run]) => ({ ...one, run }));
  for (let first = from - (from % chunkSize); first < from + count; first += chunkSize) {
    const chunk = fc.sample(planned, { seed: seed + first, numRuns: chunkSize });
    for (const [place, one] of chunk.entries()) {
      const index = first + place;
      if (index >= from && index < from + count) yield { index, planned: one };
    }
  }
}
