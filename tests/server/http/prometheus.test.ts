import { expect, test } from 'vitest';
import { Counter, gauge, Histogram } from '#server/http/prometheus.ts';

test('writes a counter with a line for each combination of labels', () => {
  const counter = new Counter('sales_total', 'Sales.');
  for (const till of ['A', 'A', 'a "B"\\\n']) counter.add({ till });
  expect(counter.lines()).toEqual([
    '# HELP sales_total Sales.',
    '# TYPE sales_total counter',
    'sales_total{till="A"} 2',
    'sales_total{till="a \\"B\\"\\\\\\n"} 1',
  ]);
});

test('writes a histogram with cumulative buckets, sum and count', () => {
  const times = new Histogram('seconds', 'Time.', [0.1, 1]);
  for (const seconds of [0.1, 0.5, 0.5, 7]) times.observe({ route: '/x' }, seconds);
  expect(times.lines().slice(2)).toEqual([
    'seconds_bucket{route="/x",le="0.1"} 1',
    'seconds_bucket{route="/x",le="1"} 3',
    'seconds_bucket{route="/x",le="+Inf"} 4',
    'seconds_sum{route="/x"} 8.1',
    'seconds_count{route="/x"} 4',
  ]);
});

test('writes a gauge with and without labels', () => {
  expect(gauge('bytes', 'Memory.', 5).at(-1)).toBe('bytes 5');
  expect(gauge('waiting', 'Queue.', [[{ device: 'A1' }, 3]]).at(-1)).toBe('waiting{device="A1"} 3');
  expect(gauge('waiting', 'Queue.', [])).toHaveLength(2);
});
