/** The treatment rooms of the demo clinic. */
import type { Executor } from '../db/database.ts';
import { rooms } from '../db/schema/rooms.ts';
import type { Say } from './words.ts';

const demoRooms = [
  { number: '1', capacity: 1, location: 'Ground floor' },
  { number: '2', capacity: 1, location: 'Ground floor' },
  { number: '3', capacity: 1, location: 'Ground floor' },
  // Closed for its weekly cleaning.
  { number: '4', capacity: 1, location: 'First floor', isOccupied: true },
  { number: 'Surgery', capacity: 2, location: 'First floor' },
  { number: 'X-ray', capacity: 1, location: 'First floor' },
] satisfies Omit<typeof rooms.$inferInsert, 'clinicId'>[];

/** The rooms of the treatments that are under way, the latest last. */
const inUse = ['2', 'Surgery', '1'];

export interface DemoRoom {
  id: number;
  number: string;
}

/** @returns the rooms in which somebody is treated at the moment */
export async function seedRooms(
  tx: Executor,
  clinic: { clinicId: number; createdAt: number; updatedAt: number },
  say: Say,
): Promise<DemoRoom[]> {
  const made = await tx
    .insert(rooms)
    .values(demoRooms.map((room) => ({ ...clinic, ...room, number: say(room.number), location: say(room.location) })))
    .returning({ id: rooms.id, number: rooms.number });
  return inUse.map((wanted) => made[demoRooms.findIndex(({ number }) => number === wanted)]!);
}
