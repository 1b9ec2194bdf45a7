/** What happened, line by line, in virtual time. Two runs of one seed write the same lines; ids that the database hands out stay outside. */
import { createHash } from 'node:crypto';

export class History {
  readonly lines: string[] = [];
  readonly counts = new Map<string, number>();

  note(atMs: number, who: string, what: string): void {
    this.lines.push(`${new Date(atMs).toISOString().slice(5, 23)} ${who.padEnd(10)} ${what}`);
  }

  /** Faults and work are counted by kind, so that a run can prove that they happened. */
  count(kind: string, times = 1): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + times);
  }

  digest(): string {
    return createHash('sha256').update(this.lines.join('\n')).digest('hex');
  }

  toString(): string {
    return this.lines.join('\n');
  }
}

export type Counts = Map<string, number>;

export function addCounts(into: Counts, more: Counts): void {
  for (const [kind, times] of more) into.set(kind, (into.get(kind) ?? 0) + times);
}
