/** Counters and histograms in Prometheus' text format, which needs no package. */

export type Labels = Readonly<Record<string, string>>;

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

function labelText(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join();
}

const sample = (name: string, labels: string, value: number): string => `${name}${labels && `{${labels}}`} ${value}`;

/** A gauge: current values, each with its labels. */
export function gauge(name: string, help: string, values: number | readonly [Labels, number][]): string[] {
  const several = typeof values === 'number' ? [[{}, values] as const] : values;
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} gauge`,
    ...several.map(([labels, value]) => sample(name, labelText(labels), value)),
  ];
}

export class Counter {
  private readonly values = new Map<string, number>();

  constructor(
    private readonly name: string,
    private readonly help: string,
  ) {}

  /** The labels must come from a closed set: each combination is kept until the process ends. */
  add(labels: Labels): void {
    const key = labelText(labels);
    this.values.set(key, (this.values.get(key) ?? 0) + 1);
  }

  lines(): string[] {
    return [
      `# HELP ${this.name} ${this.help}`,
      `# TYPE ${this.name} counter`,
      ...[...this.values].map(([labels, value]) => sample(this.name, labels, value)),
    ];
  }
}

interface Observed {
  /** The count of each bucket; the last is for values above all bounds. */
  counts: number[];
  sum: number;
}

export class Histogram {
  private readonly values = new Map<string, Observed>();

  /** @param bounds the upper bound of each bucket, ascending */
  constructor(
    private readonly name: string,
    private readonly help: string,
    private readonly bounds: readonly number[],
  ) {}

  /** The labels must come from a closed set, as for a counter. */
  observe(labels: Labels, value: number): void {
    const key = labelText(labels);
    const observed = this.values.get(key) ?? {
      counts: Array.from({ length: this.bounds.length + 1 }, () => 0),
      sum: 0,
    };
    const bucket = this.bounds.findIndex((bound) => value <= bound);
    observed.counts[bucket === -1 ? this.bounds.length : bucket]! += 1;
    observed.sum += value;
    this.values.set(key, observed);
  }

  lines(): string[] {
    const lines = [`# HELP ${this.name} ${this.help}`, `# TYPE ${this.name} histogram`];
    for (const [labels, { counts, sum }] of this.values) {
      let below = 0;
      const prefix = labels && `${labels},`;
      for (const [index, count] of counts.entries()) {
        below += count;
        lines.push(sample(`${this.name}_bucket`, `${prefix}le="${this.bounds[index] ?? '+Inf'}"`, below));
      }
      lines.push(sample(`${this.name}_sum`, labels, sum), sample(`${this.name}_count`, labels, below));
    }
    return lines;
  }
}
