import type { ServerProcess } from '../support/server-process.ts';
import { printSummary, summarise } from './statistics.ts';
import type { Summary } from './statistics.ts';

/**
 * Times API calls in interleaved rounds, so that other load on the machine affects all calls alike.
 *
 * @param calls paths under `/api` by name
 * @returns milliseconds from the request to the last byte of the reply, by name
 */
export async function timeCalls(
  clinic: ServerProcess,
  calls: Record<string, string>,
  rounds: number,
): Promise<Map<string, Summary>> {
  const headers = { authorization: `Bearer ${await clinic.signIn()}` };
  const times = new Map(Object.keys(calls).map((name) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, address] of Object.entries(calls)) {
      const started = performance.now();
      const reply = await fetch(`${clinic.url}/api${address}`, { headers });
      await reply.arrayBuffer();
      if (!reply.ok) throw new Error(`${address} failed with ${reply.status}.`);
      // The first round warms up the server's caches.
      if (round > 0) times.get(name)!.push(performance.now() - started);
    }
  }
  const summaries = new Map([...times].map(([name, values]) => [name, summarise(values)]));
  for (const [name, summary] of summaries) printSummary(name, summary);
  return summaries;
}

/** Returns the p95 of each call, and names the slowest. */
export function slowestCall(summaries: ReadonlyMap<string, Summary>): { values: number[]; note: string } {
  const slowest = [...summaries].reduce((one, other) => (one[1].p95 >= other[1].p95 ? one : other));
  return { values: [...summaries.values()].map(({ p95 }) => p95), note: slowest[0] };
}
