import type { AnyOperation } from '#domain/protocol/operations.ts';
import type { NetResponse, Call } from '#sw/sync/ports.ts';
import type { Action, Confirmation } from './workload.ts';

export interface LogEntry {
  tablet: string;
  action: Action;
  actorId: number;
  /** `unknown`: the tab died before it showed an outcome. */
  outcome: { type: 'confirmed'; confirmation: Confirmation } | { type: 'refused'; code: string } | { type: 'unknown' };
  operations: AnyOperation[];
}

interface OperationResult {
  op_id: string;
  status: string;
  reply: unknown;
}

/** The clients' side of a history: what people did and saw, and what the server replied. The checkers trust nothing else. */
export class ClientLog {
  readonly entries: LogEntry[] = [];
  /** The first final reply to each operation, as text. */
  private replies = new Map<string, string>();
  readonly violations: string[] = [];

  /** SYNC-4: a repeated operation gets the stored reply, byte for byte. */
  recordReply({ path }: Call, response: NetResponse): void {
    if (!path.startsWith('/sync/batch') || response?.status !== 200) return;
    for (const { op_id, status, reply } of (response.json as { data: { results: OperationResult[] } }).data.results) {
      if (status === 'waiting') continue;
      const text = `${status} ${JSON.stringify(reply)}`;
      const first = this.replies.get(op_id);
      if (first === undefined) this.replies.set(op_id, text);
      else if (first !== text) this.violations.push(`${op_id} was answered ${first} and then ${text}`);
    }
  }

  /** @returns a function that drops the replies recorded since; a restored server may answer those operations differently */
  checkpoint(): () => void {
    const saved = new Map(this.replies);
    return () => {
      this.replies = new Map(saved);
    };
  }

  replyTo(opId: string): string | undefined {
    return this.replies.get(opId);
  }
}
