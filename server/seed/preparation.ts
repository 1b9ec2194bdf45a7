/** Preparation of the demo clinic's treatments: paid ones are served, and of the open ones the oldest are furthest. */
import { isoOf } from '../db/sql.ts';
import type { Sql } from '../db/sql.ts';

const askedFor = (minutes: number) => `o.created_at < $2::timestamptz - interval '${minutes} minutes'`;

export async function seedPreparation(sql: Sql, clinicId: number, nowMs: number): Promise<void> {
  await sql.query(
    `update order_lines l set preparation = case when o.status = 'completed' or ${askedFor(70)} then 'served' when ${askedFor(30)} then 'ready' else 'preparing' end,
       preparation_at = o.created_at + interval '10 minutes'
     from orders o where l.clinic_id = $1 and o.clinic_id = l.clinic_id and o.id = l.order_id and (o.status = 'completed' or ${askedFor(15)})`,
    [clinicId, isoOf(nowMs)],
  );
}
