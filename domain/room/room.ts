/**
 * Rooms: where treatments happen.
 *
 *   available ──a treatment begins in it, or by hand──▶ occupied
 *   occupied ──its treatments are paid or cancelled, and by hand──▶ available
 *
 * Only what was set by hand is stored. The rest follows from the treatments that name the room and are still open, so that
 * a tablet without the network and the server come to the same.
 */
import { accept, refuse } from '../result.ts';
import type { Result } from '../result.ts';

export const roomStatuses = ['available', 'occupied'] as const;
export type RoomStatus = (typeof roomStatuses)[number];

/** What its status follows from. */
export interface RoomState {
  isOccupied: boolean;
  /** How many open treatments name it. */
  treatments: number;
}

export const roomStatus = ({ isOccupied, treatments }: RoomState): RoomStatus =>
  isOccupied || treatments > 0 ? 'occupied' : 'available';

/**
 * Sets a status by hand. What holds already is left as it is, so that saying again what one reads never ties a room up
 * beyond its treatment; and a room is not cleared under a treatment.
 *
 * @returns what is stored as set by hand
 */
export function decideStatus(room: RoomState, wanted: RoomStatus): Result<boolean> {
  if (wanted === roomStatus(room)) return accept(room.isOccupied);
  if (wanted === 'available' && room.treatments > 0) return refuse('ROOM_IN_USE');
  return accept(wanted === 'occupied');
}

/** An occupied room stays. */
export const decideRemoval = (room: RoomState): Result<null> =>
  roomStatus(room) === 'occupied' ? refuse('ROOM_OCCUPIED') : accept(null);

interface Placed {
  number: string;
  location: string;
}

/** Figures in a number count as such, so that room 10 comes after room 9. */
const figureOf = (number: string): number => Number(/^\d{1,9}/.exec(number)?.[0] ?? Number.POSITIVE_INFINITY);

const textOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The order of rooms within their location. */
function compareRooms(a: Placed, b: Placed): number {
  const [first, second] = [figureOf(a.number), figureOf(b.number)];
  return first === second ? textOrder(a.number, b.number) : first - second;
}

export interface RoomGroup<Room> {
  location: string;
  rooms: Room[];
}

/** Rooms by location, in the order of the alphabet; those without one come last. */
export function byLocation<Room extends Placed>(rooms: readonly Room[]): RoomGroup<Room>[] {
  const groups = new Map<string, Room[]>();
  for (const room of rooms) groups.set(room.location, [...(groups.get(room.location) ?? []), room]);
  return [...groups]
    .map(([location, placed]) => ({ location, rooms: placed.sort(compareRooms) }))
    .sort((a, b) => Number(a.location === '') - Number(b.location === '') || textOrder(a.location, b.location));
}
