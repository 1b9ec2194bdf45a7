/** Rooms on the wire. */
import type { Pagination } from '../pagination.ts';
import type { RoomStatus } from './room.ts';

/** The stored row of a room, as the change feed carries it. Readers derive the status from treatments. */
export interface RoomRowResource {
  id: number;
  number: string;
  capacity: number;
  location: string;
  /** True when set occupied by hand. */
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
  /** The same as `number`; an alternative name in the API. */
  table_number: string;
  status: RoomStatus;
  /** Newest first. */
  orders: RoomOrderResource[];
  created_at: string;
  updated_at: string;
}

/** `GET /tables` */
export interface RoomList {
  data: RoomResource[];
  pagination: Pagination;
}

/** `GET /tables/stats/overview` */
export interface RoomOverview {
  total: number;
  available: number;
  occupied: number;
  /** Seats of all rooms, and of the available ones. */
  capacity: number;
  available_capacity: number;
}

/** `GET /tables/status` */
export type RoomStatusResource = Pick<RoomResource, 'id' | 'number' | 'table_number' | 'status'>;
