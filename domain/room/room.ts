/**
 * The status of a room.
 *
 *   available ──an open treatment names the room, or set by hand──▶ occupied
 *   occupied ──no open treatment names the room, and not set by hand──▶ available
 *
 * Only the status set by hand is stored. The rest is derived from the open treatments that name the room, so that an offline
 * tablet and the server derive the same status.
 */
import { accept, refuse } from '../result.ts';
import type { Result } from '../result.ts';

export const roomStatuses = ['available', 'occupied'] as const;
export type RoomStatus = (typeof roomStatuses)[number];

/** The facts from which the status is derived. */
export interface RoomState {
  isOccupied: boolean;
  /** The number of open treatments that name the room. */
  treatments: number;
}

export const roomStatus = ({ isOccupied, treatments }: RoomState): RoomStatus =>
  isOccupied || treatments > 0 ? 'occupied' : 'available';

/**
 * Sets a status by hand. Setting the current status changes nothing, so that it does not keep a room occupied after its
 * treatment ends. A room with an open treatment can't be set available.
 *
 * @returns the value of `isOccupied` to store
 */
export function decideStatus(room: RoomState, wanted: RoomStatus): Result<boolean> {
  if (wanted === roomStatus(room)) return accept(room.isOccupied);
  if (wanted === 'available' && room.treatments > 0) return refuse('ROOM_IN_USE');
  return accept(wanted === 'occupied');
}

/** Refuses to remove an occupied room. */
export const decideRemoval = (room: RoomState): Result<null> =>
  roomStatus(room) === 'occupied' ? refuse('ROOM_OCCUPIED') : accept(null);

interface LocatedRoom {
  number: string;
  location: string;
}

/** Returns the leading digits as a number, so that room 10 sorts after room 9. */
const leadingNumber = (number: string): number => Number(/^\d{1,9}/.exec(number)?.[0] ?? Number.POSITIVE_INFINITY);

const textOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function compareRooms(a: LocatedRoom, b: LocatedRoom): number {
  const [first, second] = [leadingNumber(a.number), leadingNumber(b.number)];
  return first === second ? textOrder(a.number, b.number) : first - second;
}

export interface RoomGroup<Room> {
  location: string;
  rooms: Room[];
}

/** Groups rooms by location in alphabetical order; rooms without a location come last. */
export function byLocation<Room extends LocatedRoom>(rooms: readonly Room[]): RoomGroup<Room>[] {
  const groups = new Map<string, Room[]>();
  for (const room of rooms) groups.set(room.location, [...(groups.get(room.location) ?? []), room]);
  return [...groups]
    .map(([location, placed]) => ({ location, rooms: placed.sort(compareRooms) }))
    .sort((a, b) => Number(a.location === '') - Number(b.location === '') || textOrder(a.location, b.location));
}
