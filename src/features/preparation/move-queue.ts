/**
 * Sends moves of board items and shows each item in its new column at once. Moves of one item are sent in the order of the
 * taps, since each builds on the one before; moves of different items do not wait for each other.
 */
import type { PreparationStatus } from '#domain/preparation/steps.ts';

export interface Move {
  orderId: string;
  itemId: string;
  /** What the board showed. */
  from: PreparationStatus;
  to: PreparationStatus;
}

/** The new status of each item with an unfinished move. */
export type PendingMoves = ReadonlyMap<string, PreparationStatus>;

/** `thrown` is missing when the move was not sent, because the one before it had failed. */
export type MoveOutcome = { isDone: true } | { isDone: false; thrown?: unknown };

interface Port {
  /** Sends the move to the server; throws when it fails. */
  send: (move: Move) => Promise<void>;
  /** Reads the board again; never throws. */
  reread: () => Promise<void>;
  show: (moves: PendingMoves) => void;
}

export class MoveQueue {
  private moves: PendingMoves = new Map();
  private readonly last = new Map<string, Promise<MoveOutcome>>();

  constructor(private readonly port: Port) {}

  async move(move: Move): Promise<MoveOutcome> {
    const { itemId, to } = move;
    const sending = this.sendAfter(this.last.get(itemId), move);
    this.last.set(itemId, sending);
    this.show(new Map(this.moves).set(itemId, to));
    const outcome = await sending;
    void this.finish(itemId, sending, outcome);
    return outcome;
  }

  private async sendAfter(before: Promise<MoveOutcome> | undefined, move: Move): Promise<MoveOutcome> {
    if (before && !(await before).isDone) return { isDone: false };
    try {
      await this.port.send(move);
      return { isDone: true };
    } catch (thrown) {
      return { isDone: false, thrown };
    }
  }

  /** Drops a failed move at once, and a successful one when the board that was read again contains it. */
  private async finish(itemId: string, sent: Promise<MoveOutcome>, { isDone }: MoveOutcome): Promise<void> {
    if (this.last.get(itemId) !== sent) return;
    if (!isDone) this.drop(itemId);
    await this.port.reread();
    if (this.last.get(itemId) === sent) this.drop(itemId);
  }

  private drop(itemId: string): void {
    this.last.delete(itemId);
    const rest = new Map(this.moves);
    rest.delete(itemId);
    this.show(rest);
  }

  private show(moves: PendingMoves): void {
    this.moves = moves;
    this.port.show(moves);
  }
}
