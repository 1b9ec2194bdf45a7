/** The demo clinic: a believable dental practice with a month of history. It is deterministic apart from its start. */
import { randomBytes } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import type { Language } from '#domain/language.ts';
import type { Sellable } from '#domain/order/decisions.ts';
import type { Order } from '#domain/order/order.ts';
import { minorFromWire } from '#domain/money.ts';
import { milliFromWire } from '#domain/quantity.ts';
import { searchKey } from '#domain/search-key.ts';
import type { Role } from '#domain/staff/roles.ts';
import { uuidV7 } from '#domain/uuid.ts';
import type { Executor } from '../db/database.ts';
import { queriesOver } from '../db/database.ts';
import { users } from '../db/schema/access.ts';
import { categories, productIngredients, products, stockItems } from '../db/schema/catalogue.ts';
import { deviceCodes } from '../db/schema/clinics.ts';
import type { Sql } from '../db/sql.ts';
import { createClinic } from '../modules/clinics/service.ts';
import { grantDevice } from '../modules/devices/service.ts';
import { writeLedger } from '../modules/ledger/service.ts';
import type { LedgerEntry, LedgerWork } from '../modules/ledger/service.ts';
import { withOperation, writeOrders } from '../modules/orders/service.ts';
import type { OrderChange } from '../modules/orders/service.ts';
import type { Passwords } from '../modules/users/passwords.ts';
import { demoAccounts, demoColleagues } from './demo-accounts.ts';
import type { DemoAccount } from './demo-accounts.ts';
import { demoCategories, demoItems, demoProducts, isDemoFavourite } from './catalogue.ts';
import { defaultSettings } from '#domain/settings/settings.ts';
import { seedAudit } from './audit.ts';
import { seedDrawers } from './drawers.ts';
import { cashSpent, seedExpenses } from './expenses.ts';
import { demoHistory } from './history.ts';
import { seedPatients } from './patients.ts';
import { seedPictures } from './pictures.ts';
import { seedPreparation } from './preparation.ts';
import { DemoPurchasing, isKeptByLot } from './purchasing.ts';
import { SeededRandom } from './random.ts';
import { seedRooms } from './rooms.ts';
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
  const beganAtMs = nowMs - 31 * 86_400_000;
  const say = sayIn(language);
  const settings = {
    ...defaultSettings,
    ...demoSettings,
    receipt_header: say(defaultSettings.receipt_header),
    receipt_footer: say(defaultSettings.receipt_footer),
    tax_note: say(demoSettings.tax_note),
    default_language: language,
    time_zone: timeZone,
  };
  const clinicId = await createClinic(sql, { settings, createdAt: beganAtMs });
  const clinic = { clinicId, createdAt: beganAtMs, updatedAt: beganAtMs };
  const staff = await insertStaff(tx, clinic, passwords);
  const roomsInUse = await seedRooms(tx, clinic, say);
  const pictures = await seedPictures(sql, { clinicId, userId: staff.manager, atMs: beganAtMs });
  const { sellables, stockIds } = await insertCatalogue(tx, clinic, say, pictures);
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
  for (const [index, { orders, refunded, endsAtMs }] of days.entries()) {
    await purchasing.until(sql, endsAtMs);
    const changes = [...orders.map(newOrder), ...refunded.map((change) => ({ ...change, completions: [] }))];
    const { entries, reservations } = await writeOrders(sql, { clinicId, timeZone, receivedAtMs: endsAtMs }, changes);
    const taken = index % workingDaysPerWeek === workingDaysPerWeek - 1 ? shelf.weeklyUse(endsAtMs) : [];
    await writeLedger(sql, clinicId, endsAtMs, { entries: [...entries, ...taken], reservations });
  }
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

interface NewRow {
  clinicId: number;
  createdAt: number;
  updatedAt: number;
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

async function insertCatalogue(
  tx: Executor,
  clinic: NewRow,
  say: Say,
  pictures: ReadonlyMap<string, string>,
): Promise<{ sellables: Sellable[]; stockIds: Map<string, number> }> {
  const inserted = await tx
    .insert(categories)
    .values(
      demoCategories.map(({ name, color, description }) => ({
        ...clinic,
        name: say(name),
        color,
        description: say(description),
      })),
    )
    .returning();
  const catalogue = { clinic, say, pictures, categoryIds: idsOf(demoCategories, inserted) };
  const stock = await insertItems(tx, catalogue);
  const stockIds = idsOf(demoItems, stock);
  const sellables = [
    ...stock.map(({ id, name, costMinor, isAvailable }): Sellable => ({
      type: 'stock',
      id,
      name,
      priceMinor: costMinor,
      isAvailable,
    })),
    ...(await insertProducts(tx, catalogue, stockIds)),
  ];
  return { sellables: sellables.filter(({ isAvailable }) => isAvailable), stockIds };
}

interface Catalogue {
  clinic: NewRow;
  say: Say;
  pictures: ReadonlyMap<string, string>;
  categoryIds: ReadonlyMap<string, number>;
}

const insertItems = (tx: Executor, { clinic, say, pictures, categoryIds }: Catalogue) =>
  tx
    .insert(stockItems)
    .values(
      demoItems.map(({ name, category, price, unit, threshold, supplier, isStocked, isSold, barcode, tax }) => ({
        ...clinic,
        name: say(name),
        searchKey: searchKey(say(name)),
        imageUrl: pictures.get(name) ?? null,
        unit,
        categoryId: categoryIds.get(category)!,
        supplier,
        supplierContact: isStocked ? `orders@${searchKey(supplier).replaceAll(' ', '-')}.test` : '',
        lowStockThresholdMilli: milliFromWire(threshold),
        costMinor: minorFromWire(price),
        barcode,
        tax,
        isAvailable: isSold,
        isFavourite: isDemoFavourite(name),
        isStocked,
        needsPreparation: !isStocked,
        tracksLots: isKeptByLot(name),
        lastRestockedAt: isStocked ? clinic.createdAt : null,
      })),
    )
    .returning();

/** Inserts the products with their ingredients. */
async function insertProducts(
  tx: Executor,
  { clinic, say, pictures, categoryIds }: Catalogue,
  stockIds: ReadonlyMap<string, number>,
): Promise<Sellable[]> {
  const sold = await tx
    .insert(products)
    .values(
      demoProducts.map(({ name, description, category, price, barcode }) => ({
        ...clinic,
        name: say(name),
        searchKey: searchKey(say(name)),
        imageUrl: pictures.get(name) ?? null,
        description: say(description),
        categoryId: categoryIds.get(category)!,
        priceMinor: minorFromWire(price),
        barcode,
        needsPreparation: category !== 'Home care',
      })),
    )
    .returning();
  const productIds = idsOf(demoProducts, sold);
  await tx.insert(productIngredients).values(
    demoProducts.flatMap(({ name, ingredients }) =>
      Object.entries(ingredients).map(([item, quantity]) => ({
        clinicId: clinic.clinicId,
        productId: productIds.get(name)!,
        stockId: stockIds.get(item)!,
        quantityMilli: milliFromWire(quantity),
      })),
    ),
  );
  return sold.map(({ id, name, priceMinor, isAvailable }): Sellable => ({
    type: 'product',
    id,
    name,
    priceMinor,
    isAvailable,
  }));
}

/** Returns the ids of inserted rows by the English names of what they were made of. */
const idsOf = (made: readonly { name: string }[], rows: readonly { id: number }[]): Map<string, number> =>
  new Map(made.map(({ name }, index) => [name, rows[index]!.id]));

/** The stock room: opening stock and weekly use. */
class Shelf {
  constructor(
    private readonly stockIds: ReadonlyMap<string, number>,
    private readonly purchasing: DemoPurchasing,
    private readonly say: Say,
    private readonly by: { userId: number; deviceId: number; random: SeededRandom },
  ) {}

  opening(atMs: number): LedgerWork {
    const entries = demoItems
      .filter(({ isStocked }) => isStocked)
      .map(({ name, opening }) => ({
        ...this.entry(name, { type: 'stock_in', change: opening, atMs, notes: 'Opening stock' }),
        lot: this.purchasing.openingLot(name),
      }));
    return { entries, reservations: new Map() };
  }

  weeklyUse(atMs: number): LedgerEntry[] {
    return demoItems
      .filter(({ weeklyUse }) => weeklyUse > 0)
      .map(({ name, weeklyUse }) =>
        this.entry(name, { type: 'stock_out', change: -weeklyUse, atMs, notes: 'Used in the surgery' }),
      );
  }

  private entry(
    name: string,
    { type, change, atMs, notes }: { type: 'stock_in' | 'stock_out'; change: number; atMs: number; notes: string },
  ): LedgerEntry {
    const { userId, deviceId, random } = this.by;
    return {
      stockId: this.stockIds.get(name)!,
      type,
      movement: { type: 'delta', changeMilli: milliFromWire(change), effectiveAtMs: atMs },
      referenceType: 'adjustment',
      referenceId: null,
      notes: this.say(notes),
      userId,
      deviceId,
      opId: uuidV7(atMs, random.bytes(10)),
      lineId: null,
    };
  }
}
