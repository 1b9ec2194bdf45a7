/**
 * Items that were tapped show where they go at once, while the server is still asked. Moves of one item are sent in the order
 * of the taps, since each builds on the one before; different items do not wait for each other.
 */
import type { PreparationStatus } from '../../../domain/preparation/steps.ts';

export interface Move {
  orderId: string;
  itemId: string;
  to: PreparationStatus;
}

/** By item: where it is on its way to. */
export type MovesUnderWay = ReadonlyMap<string, PreparationStatus>;

/** `thrown` is missing where a move was not tried, because the one that it built on had failed. */
export type MoveOutcome = { isDone: true } | { isDone: false; thrown?: unknown };

interface Port {
  /** Asks the server; throws when it was not done. */
  send: (move: Move) => Promise<void>;
  /** Reads the board again; never throws. */
  reread: () => Promise<void>;
  show: (moves: MovesUnderWay) => void;
}

export class MoveQueue {
  private moves: MovesUnderWay = new Map();
  private readonly last = new Map<string, Promise<MoveOutcome>>();

  constructor(private readonly port: Port) {}

  /** @returns what the server said of it */
  async move(move: Move): Promise<MoveOutcome> {
    const { itemId, to } = move;
    const trying = this.attempt(move, this.last.get(itemId));
    this.last.set(itemId, trying);
    this.show(new Map(this.moves).set(itemId, to));
    const outcome = await trying;
    void this.settle(itemId, trying, outcome);
    return outcome;
  }

  private async attempt(move: Move, before: Promise<MoveOutcome> | undefined): Promise<MoveOutcome> {
    if (before && !(await before).isDone) return { isDone: false };
    try {
      await this.port.send(move);
      return { isDone: true };
    } catch (thrown) {
      return { isDone: false, thrown };
    }
  }

  /** What failed is not under way any more; what was done stays so until the board itself says it. */
  private async settle(itemId: string, tried: Promise<MoveOutcome>, { isDone }: MoveOutcome): Promise<void> {
    if (this.last.get(itemId) !== tried) return;
    if (!isDone) this.forget(itemId);
    await this.port.reread();
    if (this.last.get(itemId) === tried) this.forget(itemId);
  }

  private forget(itemId: string): void {
    this.last.delete(itemId);
    const rest = new Map(this.moves);
    rest.delete(itemId);
    this.show(rest);
  }

  private show(moves: MovesUnderWay): void {
    this.moves = moves;
    this.port.show(moves);
  }
}
