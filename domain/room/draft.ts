/** The room form and its validation. */
import type { Problems } from '../problems.ts';

export interface RoomDraft {
  number: string;
  /** The number of seats. */
  capacity: number;
  /** Free text; may be empty. */
  location: string;
}

/** A form proposes the fewest seats; a request says how many there are. */
export const blankRoom: RoomDraft = { number: '', capacity: 0, location: '' };

export const minSeats = 1;
const maxSeats = 20;
const maxNumberLength = 60;
const maxLocationLength = 100;

export function roomProblems({ number, capacity, location }: RoomDraft): Problems<keyof RoomDraft> {
  const problems: Problems<keyof RoomDraft> = {};
  if (number.trim() === '') problems.number = 'ROOM_NUMBER_REQUIRED';
  else if (number.trim().length > maxNumberLength) problems.number = 'TOO_LONG';
  if (!(capacity >= minSeats)) problems.capacity = 'SEATS_TOO_FEW';
  else if (capacity > maxSeats) problems.capacity = 'SEATS_TOO_MANY';
  else if (!Number.isInteger(capacity)) problems.capacity = 'NUMBER_NOT_WHOLE';
  if (location.trim().length > maxLocationLength) problems.location = 'TOO_LONG';
  return problems;
}
