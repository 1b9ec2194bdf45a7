/** The demo clinic: a believable dental practice with a month of history. It is deterministic apart from its start. */
import { dayMs } from '#domain/durations.ts';
import { randomBytes } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import type { Language } from '#domain/language.ts';
import type { Order } from '#domain/order/order.ts';
import type { Role } from '#domain/staff/roles.ts';
import type { Executor } from '../db/database.ts';
import { queriesOver } from '../db/database.ts';
import { users } from '../db/schema/access.ts';
import { deviceCodes } from '../db/schema/clinics.ts';
import type { Sql } from '../db/sql.ts';
import { createClinic } from '../modules/clinics/service.ts';
import { grantDevice } from '../modules/devices/service.ts';
import { writeLedger } from '../modules/ledger/service.ts';
import { withOperation, writeOrders } from '../modules/orders/service.ts';
import type { OrderChange } from '../modules/orders/service.ts';
import type { Passwords } from '../modules/users/passwords.ts';
import { demoAccounts, demoColleagues } from './demo-accounts.ts';
import type { DemoAccount } from './demo-accounts.ts';
import { defaultSettings } from '#domain/settings/settings.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import { isoOf } from '#domain/instant.ts';
import { seedDrawers } from './drawers.ts';
import { cashSpent, seedExpenses } from './expenses.ts';
import { demoHistory } from './history.ts';
import type { DayOfWork } from './history.ts';
import { seedPatients } from './patients.ts';
import { insertCatalogue } from './insert-catalogue.ts';
import type { NewRow } from './insert-catalogue.ts';
import { DemoPurchasing } from './purchasing.ts';
import { SeededRandom } from './random.ts';
import { seedRooms } from './rooms.ts';
import { Shelf } from './shelf.ts';
import { sayIn } from './words.ts';
import type { Say } from './words.ts';

export interface DemoOptions {
  nowMs: number;
  timeZone: string;
  language: Language;
  passwords: Passwords;
}

const workingDaysPerWeek = 6;

/** @returns the clinic's id */
export async function seedDemoClinic(sql: Sql, { nowMs, timeZone, language, passwords }: DemoOptions): Promise<number> {
  const tx = queriesOver(sql);
  const random = new SeededRandom(20_240_229);
  const beganAtMs = nowMs - 31 * dayMs;
  const say = sayIn(language);
  const settings = settingsOf({ say, language, timeZone });
  const clinicId = await createClinic(sql, { settings, createdAt: beganAtMs });
  const clinic = { clinicId, createdAt: beganAtMs, updatedAt: beganAtMs };
  const staff = await insertStaff(tx, clinic, passwords);
  const roomsInUse = await seedRooms(tx, clinic, say);
  const { sellables, stockIds } = await insertCatalogue(sql, { clinic, userId: staff.manager, say });
  const patients = await seedPatients(sql, clinicId, beganAtMs);
  const device = await grantDevice(sql, { clinicId, name: say('Front desk'), keyHash: null, at: beganAtMs });

  const { days, counters } = demoHistory({
    nowMs,
    timeZone,
    language,
    say,
    settings,
    random,
    sellables,
    deviceId: device.id,
    deviceCode: device.code,
    staffIds: staff.sellers,
    managerId: staff.manager,
    patients,
    roomsInUse,
  });
  const by = { userId: staff.manager, deviceId: device.id, random };
  const purchasing = new DemoPurchasing({ clinicId, stockIds, nowMs, timeZone, ...by });
  const shelf = new Shelf(stockIds, purchasing, say, by);
  await writeLedger(sql, clinicId, beganAtMs, shelf.opening(beganAtMs));
  await writeDays(sql, days, { clinicId, timeZone, purchasing, shelf });
  await purchasing.until(sql, nowMs);
  await seedPreparation(sql, clinicId, nowMs);
  const drawers = await seedDrawers(sql, {
    clinicId,
    deviceId: device.id,
    sellers: staff.sellers,
    days,
    spent: cashSpent({ nowMs, timeZone, say }),
    say,
    nowMs,
    timeZone,
    currency: settings.currency,
  });
  await seedExpenses(sql, {
    clinicId,
    managerId: staff.manager,
    adminId: staff.admin,
    deviceId: device.id,
    drawers,
    nowMs,
    timeZone,
    say,
  });
  await seedAudit(sql, { clinicId, adminId: staff.admin });
  await tx
    .update(deviceCodes)
    .set({ treatment: counters.treatment, invoice: counters.invoice, creditNote: counters.credit_note })
    .where(and(eq(deviceCodes.clinicId, clinicId), eq(deviceCodes.code, device.code)));
  return clinicId;
}

/** Writes what happened on each day, with its purchases and the weekly use of the stock room. */
async function writeDays(
  sql: Sql,
  days: readonly DayOfWork[],
  {
    clinicId,
    timeZone,
    purchasing,
    shelf,
  }: { clinicId: number; timeZone: string; purchasing: DemoPurchasing; shelf: Shelf },
): Promise<void> {
  for (const [index, { orders, refunded, endsAtMs }] of days.entries()) {
    await purchasing.until(sql, endsAtMs);
    const changes = [...orders.map(newOrder), ...refunded.map((change) => ({ ...change, completions: [] }))];
    const { entries, reservations } = await writeOrders(sql, { clinicId, timeZone, receivedAtMs: endsAtMs }, changes);
    const taken = index % workingDaysPerWeek === workingDaysPerWeek - 1 ? shelf.weeklyUse(endsAtMs) : [];
    await writeLedger(sql, clinicId, endsAtMs, { entries: [...entries, ...taken], reservations });
  }
}

/** A new treatment; its last payment completed it. */
function newOrder(order: Order): OrderChange {
  const begun = { before: null, after: order, completions: [] };
  const payment = order.payments.at(-1);
  return payment ? withOperation(begun, payment, order) : begun;
}

const demoSettings = {
  practice_name: 'Clínica Dental Alameda',
  address: 'Calle de la Alameda 18, 28014 Madrid',
  phone: '+34 910 555 014',
  email: 'hola@clinica-alameda.test',
  currency: 'EUR',
  tax_note: 'Healthcare services are exempt from VAT (art. 20.1.5 of Law 37/1992).',
} as const;

function settingsOf({ say, language, timeZone }: { say: Say; language: Language; timeZone: string }): ClinicSettings {
  return {
    ...defaultSettings,
    ...demoSettings,
    receipt_header: say(defaultSettings.receipt_header),
    receipt_footer: say(defaultSettings.receipt_footer),
    tax_note: say(demoSettings.tax_note),
    default_language: language,
    time_zone: timeZone,
  };
}

async function insertStaff(
  tx: Executor,
  clinic: NewRow,
  passwords: Passwords,
): Promise<{ admin: number; manager: number; sellers: number[] }> {
  const insert = async (people: readonly DemoAccount[]) => {
    const rows = people.map(async ({ password, ...account }) => ({
      ...clinic,
      ...account,
      passwordHash: await passwords.hash(password),
    }));
    return tx
      .insert(users)
      .values(await Promise.all(rows))
      .returning({ id: users.id, role: users.role });
  };
  const staff = await insert(demoAccounts);
  await insert(demoColleagues.map((colleague) => ({ ...colleague, password: randomBytes(24).toString('base64url') })));
  const only = (wanted: Role) => staff.find(({ role }) => role === wanted)!.id;
  return {
    admin: only('admin'),
    manager: only('manager'),
    sellers: staff.filter(({ role }) => role === 'manager' || role === 'counter').map(({ id }) => id),
  };
}

const askedFor = (minutes: number) => `o.created_at < $2::timestamptz - interval '${minutes} minutes'`;

/** Paid treatments are served, and of the open ones the oldest are furthest. */
async function seedPreparation(sql: Sql, clinicId: number, nowMs: number): Promise<void> {
  await sql.query(
    `update order_lines l set preparation = case when o.status = 'completed' or ${askedFor(70)} then 'served' when ${askedFor(30)} then 'ready' else 'preparing' end,
       preparation_at = o.created_at + interval '10 minutes'
     from orders o where l.clinic_id = $1 and o.clinic_id = l.clinic_id and o.id = l.order_id and (o.status = 'completed' or ${askedFor(15)})`,
    [clinicId, isoOf(nowMs)],
  );
}

const minutesBeforeOpening = 4;

/**
 * Adds the set-up and the sign-ins to the audit log, derived from the rows, so that the log agrees with them. Expenses, purchases
 * and drawers have their entries.
 */
async function seedAudit(sql: Sql, { clinicId, adminId }: { clinicId: number; adminId: number }): Promise<void> {
  await sql.query(
    `insert into audit_log (clinic_id, at, user_id, device_id, action, subject, details)
     select $1, at, user_id, device_id, action, subject, details from (
       select created_at as at, $2::int as user_id, null::int as device_id, 'staff.created' as action, 'user:' || id as subject,
         jsonb_build_object('role', role, 'status', status) as details from users where clinic_id = $1
       union all
       select created_at, $2, null, 'room.created', id::text, jsonb_build_object('number', number, 'capacity', capacity, 'location', location) from rooms where clinic_id = $1
       union all
       select created_at, $2, null, 'category.created', id::text, jsonb_build_object('name', name) from categories where clinic_id = $1
       union all
       select opened_at - interval '${minutesBeforeOpening} minutes', opened_by, device_id, 'sign_in', '', '{}' from drawers where clinic_id = $1) deeds
     order by at, action, subject`,
    [clinicId, adminId],
  );
}
