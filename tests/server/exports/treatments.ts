/** Treatments straight in the database, as many as a test needs: two services each, paid in full but for every tenth. */
import type { Pool } from 'pg';

export interface Filling {
  clinicId: number;
  count: number;
  /** The first day; one more day for every `perDay` treatments. */
  firstDay: string;
  perDay: number;
  /** The prefix of their numbers. */
  series?: string;
}

export async function fillTreatments(
  pool: Pool,
  { clinicId, count, firstDay, perDay, series = 'T-B1-' }: Filling,
): Promise<void> {
  const values = [clinicId, count, firstDay, perDay, series];
  const treatment = `select n, $3::date + (n / $4::int) as day, md5($1::int || ' ' || $5 || n)::uuid as id from generate_series(0, $2::int - 1) n`;
  await pool.query(
    `insert into orders (clinic_id, id, number, type, status, customer_name, currency, subtotal_minor, total_minor, paid_minor, balance_minor, created_at, business_day, created_by, device_id)
     select $1::int, t.id, $5 || lpad((t.n + 1)::text, 6, '0'), 'walk_in', case when t.n % 10 = 0 then 'confirmed' else 'completed' end, 'Patient Number ' || t.n, 'EUR',
       9050, 9050, case when t.n % 10 = 0 then 0 else 9050 end, case when t.n % 10 = 0 then 9050 else 0 end, (t.day + time '10:00') at time zone 'Europe/Madrid', t.day, 1, 1
     from (${treatment}) t`,
    values,
  );
  await pool.query(
    `insert into order_lines (clinic_id, id, order_id, position, name, quantity_milli, unit_price_minor, total_minor, earned_minor, op_id)
     select $1::int, gen_random_uuid(), t.id, position, name, quantity, price, price * quantity / 1000, price * quantity / 1000, gen_random_uuid()
     from (${treatment}) t, (values (1, 'Dental cleaning', 1000, 6050), (2, 'X-ray', 2000, 1500)) l (position, name, quantity, price)`,
    values,
  );
  await pool.query(
    `insert into payments (clinic_id, id, order_id, position, op_id, method, amount_minor, tendered_minor, change_minor, actor_id, device_id, effective_at, business_day)
     select $1::int, gen_random_uuid(), t.id, 1, gen_random_uuid(), 'cash', 9050, 9050, 0, 1, 1, (t.day + time '10:05') at time zone 'Europe/Madrid', t.day
     from (${treatment}) t where t.n % 10 <> 0`,
    values,
  );
}
