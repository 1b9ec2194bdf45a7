/**
 * Reads the audit log, newest first: its own table together with the receipts of operations that count as actions. An
 * index gives one page of each, so a page at the end of a long log costs as much as the first.
 */
import { actionsOf } from '#domain/audit/actions.ts';
import type { AuditAction, AuditGroup } from '#domain/audit/actions.ts';
import type { AuditChoices, AuditResource, AuditPage } from '#domain/audit/resources.ts';
import { receiptKindList } from '#domain/protocol/kinds.ts';
import { amountOf, isoText, keyOf, rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';

export interface AuditFilters {
  person?: number | undefined;
  device?: number | undefined;
  group?: AuditGroup | undefined;
  /** Business days, YYYY-MM-DD, both inclusive. */
  from?: string | undefined;
  to?: string | undefined;
}

/** The last row of a page: its time as PostgreSQL text, to the microsecond, and its key. */
export interface Place {
  at: string;
  key: string;
}

export const cursorOf = ({ at, key }: Place): string => Buffer.from(`${at}~${key}`).toString('base64url');

/** Returns null when the text is not a cursor. */
export function placeOf(cursor: string): Place | null {
  const [, at, key] =
    /^(\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\+00)~([ao][\da-f-]{19,36})$/.exec(
      Buffer.from(cursor, 'base64url').toString(),
    ) ?? [];
  return at && key && !Number.isNaN(Date.parse(at)) ? { at, key } : null;
}

export interface AuditQuery {
  clinicId: number;
  timeZone: string;
  filters: AuditFilters;
  after: Place | null;
  limit: number;
}

const inList = (actions: readonly AuditAction[]) => actions.map((action) => `'${action}'`).join();

/** Both have the same columns, so one filter serves both. */
const sources = [
  {
    rows: `select at, 'a' || lpad(id::text, 19, '0') as key, user_id, user_name, null::int as approved_by, null::text as approver_name, uploaded_by, uploader_name, device_id, action, subject, subject_name, details, null::json as payload
           from audit_log where clinic_id = $1`,
    columns: { at: 'at', key: `('a' || lpad(id::text, 19, '0')) collate "C"`, person: 'user_id', action: 'action' },
    newestFirst: 'at desc, id desc',
  },
  {
    rows: `select effective_at as at, 'o' || op_id as key, actor_id as user_id, actor_name as user_name, approved_by, approver_name, nullif(uploaded_by, actor_id) as uploaded_by, uploader_name, device_id, kind as action, aggregate as subject, null::text as subject_name, null::jsonb as details, payload
           from sync_ops where clinic_id = $1 and status = 'applied' and kind in (${receiptKindList})`,
    columns: { at: 'effective_at', key: `('o' || op_id) collate "C"`, person: 'actor_id', action: 'kind' },
    newestFirst: 'effective_at desc, op_id desc',
  },
] as const;

/** The details of an operation: numbers, amounts and methods, never a name, a note or a reason. */
const factDetails = `json_strip_nulls(json_build_object(
  'total', payload -> 'total', 'amount', case when action like 'order.%' then payload -> 'amount' end, 'payment_method', payload ->> 'payment_method',
  'invoice', payload #>> '{invoice,invoice_number}', 'credit_note', payload ->> 'credit_note_number',
  'services', case when action = 'order.add_services' then json_array_length(payload -> 'items') end,
  'removed', case when action = 'order.change' then nullif(coalesce(json_array_length(payload -> 'removed_line_ids'), 0), 0) end,
  'removed_total', case when action = 'order.change' then (select ${amountOf('sum(l.total_minor)')} from order_lines l where l.clinic_id = $1
    and l.id in (select jsonb_array_elements_text(coalesce(payload::jsonb -> 'removed_line_ids', '[]'))::uuid)) end,
  'replaced', case when action = 'order.change' then nullif(coalesce(json_array_length(payload -> 'replaced_items'), 0), 0) end,
  'change', case when action = 'stock.adjust' then payload ->> 'action' end,
  'quantity', case when action = 'stock.adjust' then payload -> 'amount' end))`;

const uuid = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/** Translates internal subjects into names that the clinic uses. */
const subjectName = `case
  when p.subject ~ '^order:' then coalesce(o.number, '')
  when p.subject ~ '^stock:' then coalesce(s.name, '')
  when p.subject ~ '^user:' then coalesce(p.subject_name, about.name, '')
  when p.subject ~ '^patient:' or p.subject ~ '^${uuid}$' then ''
  else regexp_replace(p.subject, '^[a-z]+:', '#') end`;

export async function readAudit(
  sql: Sql,
  { clinicId, timeZone, filters, after, limit }: AuditQuery,
): Promise<AuditPage> {
  const values: unknown[] = [clinicId];
  const value = (given: unknown, type: string) => `$${values.push(given)}::${type}`;
  const { person, device, group, from, to } = filters;
  const zone = from || to ? value(timeZone, 'text') : '';
  const given = {
    person: person !== undefined && value(person, 'int'),
    device: device !== undefined && value(device, 'int'),
    from: from && `(${value(from, 'date')})::timestamp at time zone ${zone}`,
    to: to && `(${value(to, 'date')} + 1)::timestamp at time zone ${zone}`,
    at: after && value(after.at, 'timestamptz'),
    key: after && value(after.key, 'text'),
  };
  const actions = group && actionsOf(group);
  const parts = sources.map(({ rows, columns, newestFirst }) => {
    const conditions = [
      given.person && `${columns.person} = ${given.person}`,
      given.device && `device_id = ${given.device}`,
      actions && `${columns.action} in (${inList(actions)})`,
      given.from && `${columns.at} >= ${given.from}`,
      given.to && `${columns.at} < ${given.to}`,
      given.at && `${columns.at} <= ${given.at} and (${columns.at} < ${given.at} or ${columns.key} < ${given.key})`,
    ].filter(Boolean);
    return `(${[rows, ...conditions].join(' and ')} order by ${newestFirst} limit ${limit + 1})`;
  });
  const { rows } = await sql.query(
    `with page as (select * from (${parts.join(' union all ')}) found order by at desc, key collate "C" desc limit ${limit + 1})
     select (p.at at time zone 'UTC')::text || '+00' as at, p.key,
       json_build_object('id', p.key, 'at', ${isoText('p.at')}, 'action', p.action,
         'person', case when u.id is not null then json_build_object('id', u.id, 'name', coalesce(p.user_name, u.name)) end,
         'approver', case when ap.id is not null then json_build_object('id', ap.id, 'name', coalesce(p.approver_name, ap.name)) end,
         'uploader', case when up.id is not null then json_build_object('id', up.id, 'name', coalesce(p.uploader_name, up.name)) end,
         'device', case when d.key_hash is not null then json_build_object('id', d.id, 'code', d.code, 'name', d.name) end,
         'subject', ${subjectName}, 'details', coalesce(p.details::json, ${factDetails})) as row
     from page p
     left join users u on u.clinic_id = $1 and u.id = p.user_id
     left join users ap on ap.clinic_id = $1 and ap.id = p.approved_by
     left join users up on up.clinic_id = $1 and up.id = p.uploaded_by
     left join devices d on d.clinic_id = $1 and d.id = p.device_id
     left join orders o on o.clinic_id = $1 and o.id = case when p.subject ~ '^order:${uuid}$' then substr(p.subject, 7)::uuid end
     left join stock_items s on s.clinic_id = $1 and s.id = case when p.subject ~ '^stock:\\d{1,9}$' then substr(p.subject, 7)::int end
     left join users about on about.clinic_id = $1 and about.id = case when p.subject ~ '^user:\\d{1,9}$' then substr(p.subject, 6)::int end
     order by p.at desc, p.key collate "C" desc`,
    values,
  );
  const found = rows as (Place & { row: AuditResource })[];
  const shown = found.slice(0, limit);
  return { data: shown.map(({ row }) => row), next: found.length > limit ? cursorOf(shown.at(-1)!) : null };
}

/** Returns the people and devices to filter by, including people who have left. */
export async function auditChoices(sql: Sql, clinicId: number): Promise<AuditChoices> {
  const [row] = await rowsOf<{ choices: AuditChoices }>(
    sql,
    'audit choices',
    `select json_build_object(
       'people', (select coalesce(json_agg(json_build_object('id', id, 'name', name) order by ${keyOf('name')}, id), '[]') from users where clinic_id = $1),
       'devices', (select coalesce(json_agg(json_build_object('id', id, 'code', code, 'name', name) order by id), '[]')
                   from devices where clinic_id = $1 and key_hash is not null)) as choices`,
    [clinicId],
  );
  return row!.choices;
}

/** One entry about a subject, without names that a file for a patient has no use for. */
export interface SubjectEntry {
  at: string;
  action: AuditAction;
  subject: string;
  person: string | null;
  device: string | null;
}

/** Returns who did what about these subjects, oldest first: entries of the log, and receipts of operations. */
export function entriesAbout(
  sql: Sql,
  clinicId: number,
  { subjects, limit }: { subjects: readonly string[]; limit: number },
): Promise<SubjectEntry[]> {
  return rowsOf(
    sql,
    'audit of subjects',
    `select ${isoText('e.at')} as at, e.action, e.subject, u.name as person, d.code as device from (
       select at, action, subject, user_id, device_id from audit_log where clinic_id = $1 and subject = any($2::text[])
       union all
       select effective_at, kind, aggregate, actor_id, device_id from sync_ops
       where clinic_id = $1 and aggregate = any($2::text[]) and status = 'applied' and kind in (${receiptKindList})) e
     left join users u on u.clinic_id = $1 and u.id = e.user_id
     left join devices d on d.clinic_id = $1 and d.id = e.device_id
     order by e.at limit $3`,
    [clinicId, subjects, limit],
  );
}
