import { createHash } from 'node:crypto';

/** The trace of a run, line by line, in virtual time. Two runs of one seed write the same lines, so ids that the database generates must not appear in it. */
export class History {
  readonly lines: string[] = [];
  readonly counts = new Map<string, number>();

  note(atMs: number, actor: string, event: string): void {
    this.lines.push(`${new Date(atMs).toISOString().slice(5, 23)} ${actor.padEnd(10)} ${event}`);
  }

  /** Counts faults, actions and coverage marks by kind, so that a run can prove that they occurred. */
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
