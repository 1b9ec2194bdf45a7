import type { RoomResource } from './resources.ts';

/** What a screen shows of a room, on which a change or a decision rests. */
export const roomSeen = [
  'number',
  'capacity',
  'location',
  'is_occupied',
] as const satisfies readonly (keyof RoomResource)[];
