/** Queries rooms: the server's rows, and the open treatments on this device that occupy them, unsent ones included. */
import { Dexie } from 'dexie';
import type { RoomRowResource } from '#domain/room/resources.ts';
import { roomStatus } from '#domain/room/room.ts';
import type { RoomStatus } from '#domain/room/room.ts';
import type { ClinicDatabase, OrderRow } from '../database.ts';

export interface LocalRoom extends RoomRowResource {
  status: RoomStatus;
  /** The open treatments in the room, newest first. */
  treatments: OrderRow[];
}

/** Returns all rooms, unordered. */
export async function localRooms(db: ClinicDatabase): Promise<LocalRoom[]> {
  const [rooms, inRooms] = await Promise.all([db.rooms.toArray(), openInRooms(db)]);
  return rooms.map((room) => {
    const treatments = inRooms.filter(({ roomId }) => roomId === room.id);
    return { ...room, treatments, status: roomStatus({ isOccupied: room.is_occupied, treatments: treatments.length }) };
  });
}

const openInRooms = (db: ClinicDatabase): Promise<OrderRow[]> =>
  db.orders
    .where('[status+createdAtMs]')
    .between(['confirmed', Dexie.minKey], ['confirmed', Dexie.maxKey])
    .reverse()
    .filter(({ roomId }) => roomId !== null)
    .toArray();
