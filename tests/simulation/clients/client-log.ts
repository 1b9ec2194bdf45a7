/** What the people at the counters did and were told, and what the server answered: all that the auditor believes. */
import type { AnyOperation } from '../../../domain/protocol/operations.ts';
import type { NetResponse, Call } from '../../../sw/sync/ports.ts';
import type { Action, Confirmation } from './workload.ts';

export interface LogEntry {
  tablet: string;
  action: Action;
  actorId: number;
  /** `never_heard`: the tab died before it said anything. */
  outcome: { type: 'confirmed'; told: Confirmation } | { type: 'refused'; code: string } | { type: 'never_heard' };
  operations: AnyOperation[];
}

interface Result {
  op_id: string;
  status: string;
  reply: unknown;
}

export class ClientLog {
  readonly entries: LogEntry[] = [];
  /** The first final answer to each operation, as text. */
  private answers = new Map<string, string>();
  readonly violations: string[] = [];

  /** SYNC-4: whoever asks again gets the stored answer, byte for byte. */
  witness({ path }: Call, answer: NetResponse): void {
    if (path !== '/sync/batch' || answer?.status !== 200) return;
    for (const { op_id, status, reply } of (answer.json as { data: { results: Result[] } }).data.results) {
      if (status === 'waiting') continue;
      const text = `${status} ${JSON.stringify(reply)}`;
      const first = this.answers.get(op_id);
      if (first === undefined) this.answers.set(op_id, text);
      else if (first !== text) this.violations.push(`${op_id} was answered ${first} and then ${text}`);
    }
  }

  /** What a restored server has forgotten, it may answer anew. */
  checkpoint(): () => void {
    const kept = new Map(this.answers);
    return () => {
      this.answers = new Map(kept);
    };
  }

  answerTo(opId: string): string | undefined {
    return this.answers.get(opId);
  }
}
