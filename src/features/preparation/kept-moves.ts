/** Keeps moves that the server does not have yet in local storage, so that a reload without a network loses none. */
import type { Move } from './move-queue.ts';

/** A move with the person who made it, in whose name it is sent. */
export interface KeptMove extends Move {
  userId: number;
}

const key = 'preparation-moves';

export function keptMoves(): KeptMove[] {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '[]') as KeptMove[];
  } catch {
    return [];
  }
}

const keep = (moves: readonly KeptMove[]): void => localStorage.setItem(key, JSON.stringify(moves));

export const addKept = (move: KeptMove): void => keep([...keptMoves(), move]);

/** Drops the first of equal moves. */
export function dropKept({ itemId, to }: Move): void {
  const moves = keptMoves();
  const index = moves.findIndex((each) => each.itemId === itemId && each.to === to);
  if (index !== -1) keep(moves.toSpliced(index, 1));
}
