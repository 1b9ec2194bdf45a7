export interface Summary {
  count: number;
  median: number;
  p95: number;
  p98: number;
  p99: number;
  worst: number;
}

export function summarise(values: readonly number[]): Summary {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
  return {
    count: sorted.length,
    median: at(0.5),
    p95: at(0.95),
    p98: at(0.98),
    p99: at(0.99),
    worst: sorted.at(-1) ?? Number.NaN,
  };
}

export function printSummary(title: string, { count, median, p95, p99, worst }: Summary, unit = 'ms'): void {
  const figure = (value: number) => value.toFixed(1).padStart(8);
  console.log(
    `${title.padEnd(44)} n=${String(count).padStart(4)}  median ${figure(median)}  p95 ${figure(p95)}  p99 ${figure(p99)}  worst ${figure(worst)} ${unit}`,
  );
}
