/** Gauges of the process and its database. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { IntervalHistogram } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import { gauge } from '#server/http/prometheus.ts';
import type { Labels } from '#server/http/prometheus.ts';
import { longestOutboxes } from '../devices/service.ts';

/** Metrics are served even when the database does not answer in this time. */
const patienceMs = 1000;
/** The devices shown: those with the longest outboxes. */
const devicesShown = 500;

/** Measures the delay of timers until `disable` is called. */
export function watchEventLoop(): IntervalHistogram {
  const delays = monitorEventLoopDelay({ resolution: 20 });
  delays.enable();
  return delays;
}

/** @param delays measured since the last call; this call resets them */
export function processGauges(delays: IntervalHistogram): string[] {
  const { rss, heapUsed } = process.memoryUsage();
  const lag = (
    [
      ['0.5', delays.percentile(50)],
      ['0.99', delays.percentile(99)],
      ['1', delays.max],
    ] as const
  ).map(([quantile, nanoseconds]): [Labels, number] => [{ quantile }, nanoseconds / 1e9]);
  delays.reset();
  return [
    ...gauge('process_resident_memory_bytes', 'Memory of the process.', rss),
    ...gauge('process_heap_used_bytes', 'Memory that objects take.', heapUsed),
    ...gauge('process_uptime_seconds', 'Time since the start.', Math.round(process.uptime())),
    ...gauge(
      'dental_counter_event_loop_lag_seconds',
      'How far apart the turns of a 20 ms timer were since the last reading.',
      lag,
    ),
  ];
}

/** Reads the gauges of the database in one round trip. */
export async function databaseGauges(pool: Pool): Promise<string[]> {
  const { totalCount, idleCount, waitingCount } = pool;
  const devices = await Promise.race([
    longestOutboxes(pool, devicesShown).catch(() => null),
    delay(patienceMs, null, { ref: false }),
  ]);
  return [
    ...gauge('dental_counter_database_connections', 'Connections of the pool.', [
      [{ state: 'in_use' }, totalCount - idleCount],
      [{ state: 'idle' }, idleCount],
    ]),
    ...gauge('dental_counter_database_requests_waiting', 'Work that waits for a connection.', waitingCount),
    ...gauge('dental_counter_database_up', 'Whether the database answered.', devices ? 1 : 0),
    ...gauge(
      'dental_counter_device_waiting',
      'Operations not sent yet, as the device said last.',
      (devices ?? []).map(({ clinic, device, waiting }): [Labels, number] => [{ clinic, device }, waiting]),
    ),
  ];
}
