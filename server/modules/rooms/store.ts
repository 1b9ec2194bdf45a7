/** Rooms in SQL. A clinic has a few dozen. */
import { paginationOf } from '#domain/pagination.ts';
import type { RoomDraft } from '#domain/room/draft.ts';
import type { RoomResource, RoomList, RoomOverview, RoomStatusResource } from '#domain/room/resources.ts';
import type { RoomStatus } from '#domain/room/room.ts';
import { searchKey } from '#domain/search-key.ts';
import { isoOf } from '#domain/instant.ts';
import { isoText, keyOf, likeText, rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';

/** Open treatments in a room `r`. */
const occupying = `from orders o where o.clinic_id = r.clinic_id and o.room_id = r.id and o.status = 'confirmed'`;

/** Mirrors `roomStatus` of the domain. */
const status = `case when r.is_occupied or exists (select ${occupying}) then 'occupied' else 'available' end`;

const rowFields = `'id', r.id, 'number', r.number, 'capacity', r.capacity, 'location', r.location, 'is_occupied', r.is_occupied`;

const roomJson = `json_build_object(${rowFields}, 'table_number', r.number, 'status', ${status},
  'orders', (select coalesce(json_agg(json_build_object(
      'id', o.id, 'number', o.number, 'customer_name', o.customer_name, 'created_at', ${isoText('o.created_at')})
      order by o.created_at desc, o.id), '[]'::json) ${occupying}),
  'created_at', ${isoText('r.created_at')}, 'updated_at', ${isoText('r.updated_at')})`;

/** The order of `compareRooms` within the locations of `byLocation`. */
const inOrder = `(r.location = ''), r.location collate "C", substring(r.number from '^[0-9]{1,9}')::bigint nulls last, r.number collate "C"`;

/** Rooms for the change feed, which adds the condition. A deleted room has a null row. */
export const feedRooms = `select r.xid::text as xid, r.id::text as id,
  case when r.deleted_at is null then json_build_object(${rowFields}) end as row from rooms r`;

/** Returns a room; undefined when the clinic has none of that id, or has deleted it. */
export async function loadRoom(sql: Sql, clinicId: number, id: number): Promise<RoomResource | undefined> {
  const rows = await rowsOf<{ row: RoomResource }>(
    sql,
    'room',
    `select ${roomJson} as row from rooms r where r.clinic_id = $1 and r.id = $2 and r.deleted_at is null`,
    [clinicId, id],
  );
  return rows[0]?.row;
}

export async function allRooms(sql: Sql, clinicId: number): Promise<RoomResource[]> {
  const rows = await rowsOf<{ row: RoomResource }>(
    sql,
    'rooms',
    `select ${roomJson} as row from rooms r where r.clinic_id = $1 and r.deleted_at is null order by ${inOrder}`,
    [clinicId],
  );
  return rows.map(({ row }) => row);
}

export async function roomStatuses(sql: Sql, clinicId: number): Promise<RoomStatusResource[]> {
  return rowsOf(
    sql,
    'room statuses',
    `select r.id, r.number, r.number as table_number, ${status} as status from rooms r
     where r.clinic_id = $1 and r.deleted_at is null order by ${inOrder}`,
    [clinicId],
  );
}

export interface RoomQuery {
  page: number;
  per_page: number;
  /** Matches the beginning of any word of number and location. */
  search?: string | undefined;
  status?: RoomStatus | undefined;
}

/** PostgreSQL removes the accents while reading: there are few rooms. */
const searched = keyOf(`r.number || ' ' || r.location`);

/** Returns one page by location and number, and the number of matches. */
export async function listRooms(sql: Sql, clinicId: number, query: RoomQuery): Promise<RoomList> {
  const { page, per_page, search = '', status: wanted = null } = query;
  const [found] = await rowsOf<{ total: number; data: RoomResource[] }>(
    sql,
    'rooms page',
    `with matching as (select r.* from rooms r where r.clinic_id = $1 and r.deleted_at is null
         and ' ' || ${searched} like $2 and ($3::text is null or ${status} = $3)),
       page as (select * from matching r order by ${inOrder} limit $4 offset $5)
     select (select count(*)::int from matching) as total,
       (select coalesce(json_agg(${roomJson} order by ${inOrder}), '[]'::json) from page r) as data`,
    [clinicId, `% ${likeText(searchKey(search))}%`, wanted, per_page, (page - 1) * per_page],
  );
  const { total, data } = found!;
  return { data, pagination: paginationOf({ total, page, per_page }) };
}

export async function countRooms(sql: Sql, clinicId: number): Promise<RoomOverview> {
  const [row] = await rowsOf<RoomOverview>(
    sql,
    'room overview',
    `select count(*)::int as total, count(*) filter (where s.status = 'available')::int as available,
       count(*) filter (where s.status = 'occupied')::int as occupied, coalesce(sum(s.capacity), 0)::int as capacity,
       coalesce(sum(s.capacity) filter (where s.status = 'available'), 0)::int as available_capacity
     from (select r.capacity, ${status} as status from rooms r where r.clinic_id = $1 and r.deleted_at is null) s`,
    [clinicId],
  );
  return row!;
}

export interface StoredRoom extends RoomDraft {
  isOccupied: boolean;
}

/** @returns the id of the new room */
export async function insertRoom(
  sql: Sql,
  clinicId: number,
  atMs: number,
  { number, capacity, location, isOccupied }: StoredRoom,
): Promise<number> {
  const [row] = await rowsOf<{ id: number }>(
    sql,
    'insert room',
    `insert into rooms (clinic_id, number, capacity, location, is_occupied, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $6) returning id`,
    [clinicId, number, capacity, location, isOccupied, isoOf(atMs)],
  );
  return row!.id;
}

export async function replaceRoom(
  sql: Sql,
  clinicId: number,
  id: number,
  { number, capacity, location, isOccupied, atMs }: StoredRoom & { atMs: number },
): Promise<void> {
  await sql.query({
    name: 'replace room',
    text: `update rooms set number = $3, capacity = $4, location = $5, is_occupied = $6, updated_at = $7 where clinic_id = $1 and id = $2`,
    values: [clinicId, id, number, capacity, location, isOccupied, isoOf(atMs)],
  });
}

export async function hideRoom(sql: Sql, clinicId: number, id: number, atMs: number): Promise<void> {
  await sql.query({
    name: 'delete room',
    text: 'update rooms set deleted_at = $3, updated_at = $3 where clinic_id = $1 and id = $2',
    values: [clinicId, id, isoOf(atMs)],
  });
}
