/** Reads and writes whole drawers. Movements are only inserted. */
import type { Drawer, DrawerMovement, DrawerTime } from '#domain/drawer/drawer.ts';
import type { DrawerRow } from '#domain/drawer/resource.ts';
import { isoOf } from '#domain/instant.ts';
import { insertInto } from '#server/db/insert.ts';
import { jsonFields } from '#server/db/read.ts';
import type { JsonFields } from '#server/db/read.ts';
import { drawerMovements, drawers } from '#server/db/schema/drawers.ts';
import { isoText, msOf, rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';
import { measured, readPart } from '#server/db/page.ts';
import type { Measured, Part } from '#server/db/page.ts';

const ownFields: JsonFields<Omit<Drawer, 'movements' | 'close'>> = jsonFields(drawers, 'w', [
  'id',
  'deviceId',
  'currency',
  'floatMinor',
  'openedAt',
  'openedBy',
]);

const movementFields: JsonFields<DrawerMovement> = jsonFields(
  drawerMovements,
  'm',
  ['opId', 'amountMinor', 'reason', 'actorId'],
  { atMs: 'effectiveAt' },
);

const drawerFields = `${ownFields},
  'movements', (select coalesce(json_agg(json_build_object(${movementFields}) order by m.effective_at, m.op_id), '[]'::json)
    from drawer_movements m where m.clinic_id = w.clinic_id and m.drawer_id = w.id),
  'close', case when w.closed_at is not null then json_build_object(
    'atMs', ${msOf('w.closed_at')}, 'actorId', w.closed_by, 'counted', w.counted, 'notes', w.notes) end`;

/**
 * The devices that may hold payments of a drawer. They have a payment or a fiscal record of its day, which begins twelve hours
 * before the opening; or they had a session and contact that day, and may hold payments that the server does not know: they
 * have unsent work, or the person signed in there works at the counter only. The browser of a manager that
 * took no money is no till. An expired session counts unless it was ended: expiry stops uploading, and the device can
 * sell offline for a week. A revoked device never reports again; a person approves its work.
 */
const devicesAbout = `(select coalesce(json_agg(json_build_object('id', d.id, 'code', d.code, 'name', d.name,
    'lastSeenAtMs', ${msOf('d.last_seen_at')}, 'clearedAtMs', ${msOf('d.cleared_at')}, 'waiting', d.waiting,
    'head', (select json_build_object('chain', r.chain, 'sequence', r.sequence, 'seal', r.seal) from fiscal_records r
      where r.clinic_id = d.clinic_id and r.chain = d.code and r.device_id = d.id order by r.sequence desc limit 1)) order by d.id), '[]'::json)
  from devices d where d.clinic_id = w.clinic_id and d.key_hash is not null and d.revoked_at is null and (
    d.last_seen_at >= w.opened_at - interval '12 hours' and exists (select 1 from sessions s join users u on u.clinic_id = s.clinic_id and u.id = s.user_id
      where s.clinic_id = d.clinic_id and s.device_id = d.id and (u.role = 'counter' or d.waiting > 0) and s.created_at < coalesce(w.closed_at, 'infinity') and s.created_at > w.opened_at - interval '7 days'
      and (s.ended_at is null or s.ended_at > w.opened_at))
    or exists (select 1 from payments p where p.clinic_id = d.clinic_id and p.device_id = d.id
      and p.effective_at >= w.opened_at - interval '12 hours' and p.effective_at < coalesce(w.closed_at, 'infinity'))
    or (select r.received_at >= w.opened_at - interval '12 hours' from fiscal_records r
      where r.clinic_id = d.clinic_id and r.chain = d.code and r.device_id = d.id order by r.sequence desc limit 1)))`;

const rowFields = `${drawerFields},
  'deviceCode', (select d.code from devices d where d.clinic_id = w.clinic_id and d.id = w.device_id),
  'people', (select coalesce(json_object_agg(u.id, u.name), '{}'::json) from users u where u.clinic_id = w.clinic_id
    and (u.id in (w.opened_by, w.closed_by)
      or exists (select 1 from drawer_movements m where m.clinic_id = w.clinic_id and m.drawer_id = w.id and m.actor_id = u.id))),
  'devices', ${devicesAbout}`;

/** Selects rows for the change feed, which adds the conditions (`feed/selection-store.ts`). */
export const feedDrawers = `select w.xid::text as xid, w.id::text as id, json_build_object(${rowFields}) as row from drawers w`;

/** A tablet keeps at most this many open drawers, and as many closed ones: a month of five desks has about a hundred. */
const mostKept = 200;

/**
 * Selects the ids of the drawers that a tablet keeps: the open ones and those closed since a time, the newest of each.
 *
 * @param since the parameter with the time; `$1` is the clinic
 */
export const recentDrawers = (since: string): string => `
  (select id from drawers where clinic_id = $1 and closed_at is null order by opened_at desc limit ${mostKept})
  union all (select id from drawers where clinic_id = $1 and closed_at >= ${since} order by closed_at desc limit ${mostKept})`;

export async function loadDrawers(sql: Sql, clinicId: number, ids: readonly string[]): Promise<Map<string, Drawer>> {
  if (ids.length === 0) return new Map();
  const rows = await rowsOf<{ drawer: Drawer }>(
    sql,
    'drawers by id',
    `select json_build_object(${drawerFields}) as drawer from drawers w where w.clinic_id = $1 and w.id = any($2::uuid[])`,
    [clinicId, ids],
  );
  return new Map(rows.map(({ drawer }) => [drawer.id, drawer]));
}

/** Returns the open drawer that a device uses, as `currentDrawer` of the domain. */
export async function currentDrawer(sql: Sql, clinicId: number, deviceId: number): Promise<DrawerRow | undefined> {
  const [row] = await rowsOf<{ drawer: DrawerRow }>(
    sql,
    'current drawer',
    `select json_build_object(${rowFields}) as drawer from drawers w where w.clinic_id = $1 and w.id = (
       select id from drawers where clinic_id = $1 and closed_at is null order by device_id = $2 desc, opened_at, device_id limit 1)`,
    [clinicId, deviceId],
  );
  return row?.drawer;
}

/** Returns the drawers that are open, the first opened first, and the number of all. */
export async function listOpenDrawers(
  sql: Sql,
  clinicId: number,
  limit: number,
): Promise<{ open: { id: string; device: string; opened_at: string; opened_by: string }[]; count: number }> {
  const rows = await rowsOf<{ id: string; device: string; opened_at: string; opened_by: string; count: number }>(
    sql,
    'open drawers',
    `select w.id, coalesce(d.code, '') as device, ${isoText('w.opened_at')} as opened_at, coalesce(u.name, '') as opened_by, w.count
     from (select *, count(*) over ()::int as count from drawers where clinic_id = $1 and closed_at is null order by opened_at, id limit $2) w
     left join devices d on d.clinic_id = $1 and d.id = w.device_id left join users u on u.clinic_id = $1 and u.id = w.opened_by
     order by w.opened_at, w.id`,
    [clinicId, limit],
  );
  return { open: rows.map(({ count: _count, ...drawer }) => drawer), count: rows[0]?.count ?? 0 };
}

/** Returns the number of open drawers of each of these devices that has one. */
export async function countOpenDrawers(
  sql: Sql,
  clinicId: number,
  deviceIds: readonly number[],
): Promise<Map<number, number>> {
  if (deviceIds.length === 0) return new Map();
  const rows = await rowsOf<{ device: number; open: number }>(
    sql,
    'open drawers counted',
    `select device_id as device, count(*)::int as open from drawers
     where clinic_id = $1 and closed_at is null and device_id = any($2::int[]) group by device_id`,
    [clinicId, deviceIds],
  );
  return new Map(rows.map(({ device, open }) => [device, open]));
}

export async function drawerRow(sql: Sql, clinicId: number, id: string): Promise<DrawerRow | undefined> {
  const [row] = await rowsOf<{ drawer: DrawerRow }>(
    sql,
    'drawer row',
    `select json_build_object(${rowFields}) as drawer from drawers w where w.clinic_id = $1 and w.id = $2::uuid`,
    [clinicId, id],
  );
  return row?.drawer;
}

/** Returns a page of drawers, the last opened first, and the total. */
export async function listDrawers(
  sql: Sql,
  clinicId: number,
  part: Part,
): Promise<{ drawers: DrawerRow[]; total: number }> {
  const counted = await rowsOf<{ total: number }>(
    sql,
    'drawers counted',
    'select count(*)::int as total from drawers where clinic_id = $1',
    [clinicId],
  );
  const listed = await readPart(part, ({ limit, offset }) =>
    rowsOf<Measured<DrawerRow>>(
      sql,
      'drawers page',
      measured(
        `select json_build_object(${rowFields}) as row from drawers w where w.clinic_id = $1 order by w.opened_at desc, w.id limit $2 offset $3`,
      ),
      [clinicId, limit, offset],
    ),
  );
  return { drawers: listed, total: counted[0]!.total };
}

/** A time span in milliseconds; the end is excluded. */
export interface Span {
  fromMs: number;
  untilMs: number;
}

const openIn = `w.clinic_id = $1 and w.opened_at < $3 and coalesce(w.closed_at, 'infinity') >= $2`;

/** The most drawers that one reply lists with their reports. */
const mostListed = 100;

/** Returns the drawers that were open at some moment of a time span, the first opened first; of very many, the last ones. */
export async function drawersOpenIn(sql: Sql, clinicId: number, { fromMs, untilMs }: Span): Promise<DrawerRow[]> {
  const rows = await rowsOf<{ drawer: DrawerRow }>(
    sql,
    'drawers open in',
    `select json_build_object(${rowFields}) as drawer from (
       select * from drawers w where ${openIn} order by w.opened_at desc, w.id desc limit ${mostListed}) w
     order by w.opened_at, w.id`,
    [clinicId, isoOf(fromMs), isoOf(untilMs)],
  );
  return rows.map(({ drawer }) => drawer);
}

/** Returns when all drawers that were open at some moment of a time span were open. */
export async function drawerTimesIn(sql: Sql, clinicId: number, { fromMs, untilMs }: Span): Promise<DrawerTime[]> {
  const rows = await rowsOf<{ drawer: DrawerTime }>(
    sql,
    'drawer times',
    `select json_build_object('id', w.id, 'deviceId', w.device_id, 'openedAtMs', ${msOf('w.opened_at')},
       'close', case when w.closed_at is not null then json_build_object('atMs', ${msOf('w.closed_at')}) end) as drawer
     from drawers w where ${openIn}`,
    [clinicId, isoOf(fromMs), isoOf(untilMs)],
  );
  return rows.map(({ drawer }) => drawer);
}

/** Returns these drawers and all that were open at the same time as one of them. */
export async function overlappingDrawers(sql: Sql, clinicId: number, ids: readonly string[]): Promise<Drawer[]> {
  const rows = await rowsOf<{ drawer: Drawer }>(
    sql,
    'drawers overlapping',
    `select json_build_object(${drawerFields}) as drawer from drawers w where w.clinic_id = $1 and exists (
       select 1 from drawers asked where asked.clinic_id = $1 and asked.id = any($2::uuid[])
         and w.opened_at <= coalesce(asked.closed_at, 'infinity') and asked.opened_at <= coalesce(w.closed_at, 'infinity'))`,
    [clinicId, ids],
  );
  return rows.map(({ drawer }) => drawer);
}

export interface DrawerChange {
  before: Drawer | null;
  after: Drawer;
}

const insertDrawers = insertInto(drawers, { existing: { update: ['closedAt', 'closedBy', 'counted', 'notes'] } });
const insertMovements = insertInto(drawerMovements);

/** Writes the row of each drawer even when only a movement is new, so that the feed returns the drawer. */
export async function saveDrawers(sql: Sql, clinicId: number, changes: readonly DrawerChange[]): Promise<void> {
  await insertDrawers(
    sql,
    changes.map(({ after: { id, openedAtMs, openedBy, deviceId, currency, floatMinor, close } }) => ({
      clinicId,
      id,
      openedAt: openedAtMs,
      openedBy,
      deviceId,
      currency,
      floatMinor,
      closedAt: close?.atMs ?? null,
      closedBy: close?.actorId ?? null,
      counted: close?.counted ?? null,
      notes: close?.notes ?? '',
    })),
  );
  await insertMovements(
    sql,
    changes.flatMap(({ before, after }) => {
      const known = new Set(before?.movements.map(({ opId }) => opId));
      return after.movements
        .filter(({ opId }) => !known.has(opId))
        .map(({ atMs, ...movement }) => ({ ...movement, clinicId, drawerId: after.id, effectiveAt: atMs }));
    }),
  );
}

/**
 * Rewrites the drawers that were closed in a time span and that tablets keep, so that the feed returns them: a device's
 * report changed what they wait for.
 */
export async function touchClosedDrawers(
  sql: Sql,
  clinicId: number,
  { afterMs, untilMs }: { afterMs: number; untilMs: number },
): Promise<void> {
  await sql.query({
    name: 'restamp drawers',
    text: `update drawers set notes = notes where clinic_id = $1 and closed_at > $2 and closed_at <= $3 and id in (${recentDrawers('$2')})`,
    values: [clinicId, isoOf(afterMs), isoOf(untilMs)],
  });
}
