/** Times the back-office lists of a large clinic with 5,000 people and 100,000 expenses. */
import { Client } from 'pg';
import { slowestCall, timeCalls } from './calls.ts';
import { withClinic } from './clinic.ts';
import type { Figure, Form } from './figures.ts';
import { goals } from './goals.ts';

const people = 5_000;
const expenses = 100_000;

const calls = {
  'staff, first page': '/users?page=1&size=10',
  'staff, last page': '/users?page=100&size=50',
  'staff, newest first': '/users?page=1&size=50&sort=created_at&order=desc',
  'staff, by role, page 50': '/users?page=50&size=50&sort=role',
  'staff, a first name': '/users?page=1&size=50&search=nom12',
  'staff, a surname, by email': '/users?page=2&size=50&search=apellido4&sort=email',
  'staff, nobody': '/users?page=1&size=50&search=zzz',
  'expenses, first page': '/expenses?page=1&per_page=20',
  'expenses, page 5,000': '/expenses?page=5000&per_page=20',
  'expenses, pending': '/expenses?page=1&per_page=20&status=pending',
  'expenses, a category, page 400': '/expenses?page=400&per_page=20&category=rent',
  'expenses, rejected of a category': '/expenses?page=1&per_page=20&status=rejected&category=marketing',
  'expenses, a month': '/expenses?page=1&per_page=20&start_date=2025-03-01&end_date=2025-03-31',
  'expenses, a rare word': '/expenses?page=1&per_page=20&search=invoice%2077777',
  'expenses, a common word, page 1,000': '/expenses?page=1000&per_page=20&search=monthly',
  'expenses, a word in a month':
    '/expenses?page=1&per_page=20&search=monthly&start_date=2025-03-01&end_date=2025-03-31',
  'expenses, nothing found': '/expenses?page=1&per_page=20&search=zzz',
  'expenses, summary': '/expenses/summary',
};

async function fill(connectionString: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  await client.query(
    `insert into users (clinic_id, name, email, password_hash, role, status, created_at, updated_at)
     select c.id, 'Nom' || n % 500 || ' Apellido' || n, 'person' || n || '@house.test', '', (array['counter','counter','manager','server','kitchen'])[1 + n % 5],
       case when n % 9 = 0 then 'inactive' else 'active' end, at, at
     from clinics c, generate_series(1, ${people}) n, lateral (select timestamptz '2026-01-01' - n * interval '7 hours' as at) times`,
  );
  await client.query(
    `insert into expenses (clinic_id, title, description, search_key, amount_minor, category, expense_date, status, submitted_by, decided_by, decided_at, created_at, updated_at)
     select u.clinic_id, title, description, lower(title || ' ' || description), 100 + n % 90000,
       (array['utilities','rent','salaries','supplies','maintenance','marketing','transportation','equipment','food_ingredients','other'])[1 + n % 10],
       date '2026-06-01' - n / 60, status, u.id, case when status <> 'pending' then u.id end, case when status <> 'pending' then at end, at, at
     from (select clinic_id, id from users order by id limit 1) u, generate_series(1, ${expenses}) n,
       lateral (select 'Vendor ' || n % 300 as title, case when n % 2 = 0 then 'Monthly' else 'Single' end || ' bill, invoice ' || n as description,
         (array['approved','approved','approved','rejected','pending'])[1 + n % 5] as status, timestamptz '2026-06-01' - n * interval '20 minutes' as at) facts`,
  );
  // The autovacuum of a running clinic has this effect as well.
  await client.query('vacuum (analyze)');
  await client.end();
}

export function benchBackOffice({ short }: Form): Promise<Figure[]> {
  return withClinic(async ({ clinic, connectionString }) => {
    await fill(connectionString);
    console.log(`\nBack office, ${people} people, ${expenses} expenses`);
    const summaries = await timeCalls(clinic, calls, short ? 11 : 41);
    return [{ goal: goals['back-office'].lists, ...slowestCall(summaries) }];
  });
}
