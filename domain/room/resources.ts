/** Rooms as they cross the wire. */
import type { RoomStatus } from './room.ts';

/** A room as the change feed tells of it: what is stored. What follows from treatments each reader derives. */
export interface RoomRowResource {
  id: number;
  number: string;
  capacity: number;
  location: string;
  /** Set by hand. */
  is_occupied: boolean;
}

/** An open treatment that occupies a room. */
export interface RoomOrderResource {
  id: string;
  number: string;
  customer_name: string;
  created_at: string;
}

export interface RoomResource extends RoomRowResource {
  /** Its number once more, for readers who know it by this name. */
  table_number: string;
  status: RoomStatus;
  /** The newest first. */
  orders: RoomOrderResource[];
  created_at: string;
  updated_at: string;
}

/** `GET /tables` */
export interface RoomList {
  data: RoomResource[];
  pagination: { total: number; page: number; per_page: number; totalPages: number };
}

/** `GET /tables/stats/overview` */
export interface RoomOverview {
  total: number;
  available: number;
  occupied: number;
  /** Seats, in all and in what is available. */
  capacity: number;
  available_capacity: number;
}

/** `GET /tables/status` */
export type RoomStatusResource = Pick<RoomResource, 'id' | 'number' | 'table_number' | 'status'>;
