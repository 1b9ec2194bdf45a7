/** Fills the demo clinic with years of treatments, about 900 a day until now. PostgreSQL generates the rows. */
import { Client } from 'pg';

/** At this rate, three years have a million treatments. */
const ordersPerDay = 913;
const chunk = 100_000;

/** Inserts the treatments `$2` to `$3` of `$1`; the last of all was created now. */
const orders = `
  insert into orders (clinic_id, id, number, type, status, customer_name, currency, discount_minor, subtotal_minor, total_minor, paid_minor, balance_minor,
    created_at, business_day, created_by, device_id, received_at, updated_at)
  select 1, uuid_of(n, 0), 'T-ZZ-' || lpad(n::text, 7, '0'),
    (array['walk_in', 'walk_in', 'walk_in', 'walk_in', 'scheduled', 'emergency', 'delivery'])[1 + n % 7], status,
    case when n % 2 = 0 then first_names[1 + n % 40] || ' ' || last_names[1 + n / 7 % 250] else '' end, 'EUR', case when n % 10 = 0 then 500 else 0 end,
    total + case when n % 10 = 0 then 500 else 0 end, total, paid, total - paid, at, (at at time zone 'Europe/Madrid')::date, 1, 1, at, at
  from (
    select n, price_of(n, 1) + price_of(n, 2) + price_of(n, 3) - case when n % 10 = 0 then 500 else 0 end as total,
      case when n % 33 = 0 then 'cancelled' when n % 701 = 0 or n > $1 - 12 then 'confirmed' else 'completed' end as status,
      date_trunc('day', now()) - interval '1 day' * (($1 - n) / ${ordersPerDay}) + interval '5 hours' + interval '18 seconds' * (n % ${ordersPerDay}) as at
    from generate_series($2::int, $3::int) n) made,
  lateral (select case when status = 'completed' then total else 0 end as paid) paid,
  (select array(select 'Nombre' || chr(97 + g % 26) || g from generate_series(1, 40) g) as first_names,
    array(select 'Apellido' || chr(97 + g % 26) || chr(97 + g / 26) from generate_series(1, 250) g) as last_names) names`;

const lines = `
  insert into order_lines (clinic_id, id, order_id, position, stock_id, name, quantity_milli, unit_price_minor, total_minor, earned_minor, op_id, usage_at)
  select 1, uuid_of(n, l), uuid_of(n, 0), l - 1, item.id, item.name, 1000, price_of(n, l), price_of(n, l), price_of(n, l), uuid_of(n, l), now()
  from generate_series($1::int, $2::int) n, generate_series(1, 3) l,
    (select array_agg(id order by id) as ids, array_agg(name order by id) as names from stock_items where clinic_id = 1) items,
    lateral (select items.ids[1 + (n * 3 + l * l * 7) % cardinality(items.ids)] as id, items.names[1 + (n * 3 + l * l * 7) % cardinality(items.ids)] as name) item`;

/**
 * Inserts payments of completed treatments, and for every second cancelled one a payment and its refund two days
 * later.
 */
const payments = `
  insert into payments (clinic_id, id, order_id, position, op_id, method, amount_minor, tendered_minor, change_minor, actor_id, device_id, effective_at, business_day, received_at)
  select 1, uuid_of(n, 10 + part), o.id, part, uuid_of(n, 20 + part), (array['cash', 'card', 'card', 'insurance', 'others'])[1 + n % 5], sign * total_minor, total_minor, 0, 1, 1,
    at, (at at time zone 'Europe/Madrid')::date, at
  from generate_series($1::int, $2::int) n join orders o on o.clinic_id = 1 and o.id = uuid_of(n, 0),
    lateral (select 0 as part, 1 as sign, created_at + interval '4 minutes' as at where status = 'completed' or (status = 'cancelled' and n % 66 = 0)
      union all select 1, -1, created_at + interval '2 days' where status = 'cancelled' and n % 66 = 0) moved`;

const invoices = `
  insert into invoices (clinic_id, id, order_id, position, op_id, number, issued_at, document)
  select 1, uuid_of(n, 30), o.id, 0, uuid_of(n, 20), 'INV-ZZ-' || lpad(n::text, 7, '0'), o.created_at, '{"invoice_number": "as printed"}'
  from generate_series($1::int, $2::int) n join orders o on o.clinic_id = 1 and o.id = uuid_of(n, 0) where o.status = 'completed'`;

/** Adds `count` treatments to the demo clinic. */
export async function fillYears(connectionString: string, count: number): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  await client.query(`set synchronous_commit = off`);
  await client.query(
    `create function pg_temp.uuid_of(n int, part int) returns uuid language sql immutable as $$ select md5(n || '/' || part)::uuid $$`,
  );
  await client.query(
    `create function pg_temp.price_of(n int, part int) returns int language sql immutable as $$ select 1500 + (n * 37 + part * 101) % 400 * 50 $$`,
  );
  const own = (text: string) => text.replace(/\b(uuid_of|price_of)\(/g, 'pg_temp.$1(');
  for (let first = 1; first <= count; first += chunk) {
    const last = Math.min(count, first + chunk - 1);
    await client.query(own(orders), [count, first, last]);
    for (const text of [lines, payments, invoices]) await client.query(own(text), [first, last]);
  }
  await client.query('vacuum analyze');
  await client.end();
}

/** Adds patients to the demo clinic, about as many as a practice meets in those years. */
export async function fillPatients(connectionString: string, count: number): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  await client.query(
    `insert into patients (clinic_id, id, name, name_at, search_key, phone, phone_at, phone_key)
     select 1, md5('patient ' || n)::uuid, name, at, lower(name), phone, at, replace(phone, ' ', '')
     from generate_series(1, $1::int) n,
       lateral (select 'Nombre' || chr(97 + n % 26) || n % 40 || ' Apellido' || chr(97 + n / 26 % 26) || n / 300 as name,
         '600 ' || lpad((n % 1000)::text, 3, '0') || ' ' || lpad((n / 1000)::text, 3, '0') as phone,
         now() - n * interval '15 minutes' as at) person`,
    [count],
  );
  await client.query('analyze patients');
  await client.end();
}
