/**
 * Applies a complete pull, or the feed in the reply to a batch, in one transaction (SYNC-9): rows, deletions, receipts and the
 * cursor. All data is read inside the transaction, so that a sale made while the pages were fetched is replayed over the new
 * rows too.
 */
import type { Table } from 'dexie';
import type { Order } from '#domain/order/order.ts';
import type { PatientResource } from '#domain/patient/resources.ts';
import { learnBestSellers } from '#src/db/best-sellers.ts';
import type { CatalogueItem, ClinicDatabase, Personal, SyncRow } from '#src/db/database.ts';
import { withStatus } from '#src/db/operation-state.ts';
import { detailsRow, patientRow, productKey, stockKey } from '#src/db/rows.ts';
import { rebasedTables, rebaseOrders, rebasePatients, rebaseStock, subjectsOf } from '#src/db/rebase.ts';
import { syncRow } from '#src/db/singletons.ts';
import type { Contact } from './api.ts';
import { productItem, stockItem } from './catalogue.ts';
import type { Feed } from './feed.ts';
import { requeueConfirmed, settle } from './outbox.ts';

export interface Pull {
  feed: Feed;
  /** The device's cursor when the pull began. */
  startedFrom: string | null;
  /** The tables that were empty when the pull began. */
  lacks: SyncRow['lacks'];
  /** True when the feed started from the beginning: rows that it does not contain are deleted. */
  isComplete: boolean;
  /** True when the server may have lost confirmed operations. */
  resend: boolean;
  cursor: string;
  epoch: string;
  contact: Contact;
}

/** Returns the tables that `applyFeed` needs. Most pulls are empty; these lock only the sync row, so that no sale waits for them. */
export function feedTables(db: ClinicDatabase, pull: Pull): Table[] {
  if (!isNews(pull)) return [db.sync];
  const { feed } = pull;
  const copies = [
    ...(feed.receipts.some(({ operation }) => operation) ? [db.documents] : []),
    ...(erasedIn(feed).length > 0 ? [db.query_cache, db.drafts] : []),
  ];
  return [
    db.sync,
    db.operations,
    db.operation_states,
    ...rebasedTables(db),
    db.best_sellers,
    db.categories,
    db.rooms,
    db.attention,
    db.drawers,
    db.settings,
    ...copies,
  ];
}

const isNews = ({ feed, isComplete, resend }: Pull): boolean => feed.size > 0 || isComplete || resend;

/**
 * Requires a transaction over `feedTables`.
 *
 * @returns false, without changes, when another engine has moved the cursor, or another person has taken over, meanwhile
 */
export async function applyFeed(db: ClinicDatabase, pull: Pull): Promise<boolean> {
  const { contact } = pull;
  const sync = await syncRow(db);
  // Rows for the person before must not arrive after their tables were emptied.
  if (sync.cursor !== pull.startedFrom || sync.lacks.join() !== pull.lacks.join()) return false;
  if (isNews(pull)) await applyNews(db, pull);
  await db.sync.put({
    ...sync,
    // A feed from the beginning replaces the patients, so their pages begin again.
    ...(pull.isComplete && { patients_after: pull.feed.patientsFollow ? '' : null }),
    cursor: pull.cursor,
    lacks: [],
    epoch: pull.epoch,
    clock_offset_ms: contact.offsetMs ?? sync.clock_offset_ms,
    last_contact_at: contact.at,
    first_sync_rows: null,
    unsent_records: pull.feed.unsentRecords,
    lock_asked_at: pull.feed.lockAskedAt,
  });
  return true;
}

async function applyNews(db: ClinicDatabase, { feed, contact, isComplete, resend }: Pull): Promise<void> {
  const received = new Set(feed.receipts.map(({ op_id }) => op_id));
  const requeued = resend ? await requeueConfirmed(db, received, contact.at) : [];
  const settled = await settle(db, feed.receipts, contact.at);
  const { orderIds, stockIds, patientIds } = subjectsOf([...requeued, ...settled]);
  await forgetErased(db, erasedIn(feed));
  if (isComplete) await removeUnnamed(db, feed);
  await applyOrders(db, feed, orderIds);
  await applyCatalogue(db, feed, stockIds);
  await applySmallTables(db, feed);
  await rebasePatients(db, patientIds);
  await learnBestSellers(db, contact.at);
}

/** Deletes the rows that a complete feed does not contain. A treatment stays while its operations wait or lie in the tray. */
async function removeUnnamed(db: ClinicDatabase, feed: Feed): Promise<void> {
  const [known, bases, refused] = await Promise.all([
    db.orders.toCollection().primaryKeys(),
    db.order_bases.toCollection().primaryKeys(),
    withStatus(db, 'attention').toArray(),
  ]);
  const kept = new Set([...bases, ...subjectsOf(refused.map(({ aggregate }) => aggregate)).orderIds]);
  await Promise.all([
    db.orders.bulkDelete(known.filter((id) => !feed.orders.has(id) && !kept.has(id))),
    db.catalogue.clear(),
    db.categories.clear(),
    db.rooms.clear(),
    db.attention.clear(),
    db.drawers.clear(),
    db.patients.filter(({ unsent }) => !unsent).delete(),
    // The rows under waiting updates come from the former server. The feed, or a page after it, brings those of this one.
    db.patients.filter(({ base }) => Boolean(base)).modify({ base: null }),
    db.patient_details.clear(),
  ]);
}

async function applyOrders(db: ClinicDatabase, feed: Feed, touched: readonly string[]): Promise<void> {
  const changes = new Map<string, Order | undefined>(touched.map((id) => [id, undefined]));
  for (const [id, order] of feed.orders) changes.set(id, order);
  await rebaseOrders(db, changes);
}

async function applyCatalogue(db: ClinicDatabase, feed: Feed, touchedStock: readonly number[]): Promise<void> {
  const items: CatalogueItem[] = [];
  const gone: string[] = [];
  for (const [id, resource] of feed.stock) {
    if (resource) items.push(stockItem(resource));
    else gone.push(stockKey(id));
  }
  for (const [id, resource] of feed.products) {
    if (resource) items.push(productItem(resource));
    else gone.push(productKey(id));
  }
  await Promise.all([db.catalogue.bulkPut(items), db.catalogue.bulkDelete(gone)]);
  await rebaseStock(db, touchedStock);
}

async function applySmallTables(
  db: ClinicDatabase,
  { categories, rooms, attention, drawers, patients, details, settings }: Feed,
): Promise<void> {
  const items = [...attention.values()];
  await Promise.all([
    applyRows(db.categories, categories),
    applyRows(db.rooms, rooms),
    db.attention.bulkPut(items.filter(({ settled_at }) => settled_at === null)),
    db.attention.bulkDelete(items.filter(({ settled_at }) => settled_at !== null).map(({ id }) => id)),
    db.drawers.bulkPut(drawers),
    db.patients.bulkPut(patients.map(patientRow)),
    db.patient_details.bulkPut(details.map(detailsRow)),
    settings && db.settings.put({ id: 'this', settings }),
  ]);
}

/** Stores rows; null marks a deleted row. */
async function applyRows<Row>(table: Table<Row, number>, rows: ReadonlyMap<number, Row | null>): Promise<void> {
  const gone = [...rows].filter(([, row]) => !row).map(([id]) => id);
  await Promise.all([table.bulkPut([...rows.values()].flatMap((row) => row ?? [])), table.bulkDelete(gone)]);
}

const erasedIn = ({ patients }: Feed): PatientResource[] => patients.filter(({ erased_at }) => erased_at !== undefined);

/**
 * Deletes stored replies of the server and drafts of forms that name erased patients, and all sealed ones, which only their
 * person can read. Requires the patients as they were before the feed.
 */
async function forgetErased(db: ClinicDatabase, erased: readonly PatientResource[]): Promise<void> {
  if (erased.length === 0) return;
  const ids = erased.map(({ id }) => id);
  const [known, details] = await Promise.all([db.patients.bulkGet(ids), db.patient_details.bulkGet(ids)]);
  const texts = [
    ...ids,
    ...known.flatMap((row) => [row?.name ?? '', row?.phone ?? '']),
    ...details.flatMap((row) => [row?.email ?? '', row?.notes ?? '', row?.recipient?.tax_id ?? '']),
  ]
    .filter(Boolean)
    .map((text) => JSON.stringify(text).slice(1, -1));
  const mayName = ({ value }: { value: Personal }) => {
    if (!('clear' in value)) return true;
    const stored = JSON.stringify(value.clear) ?? '';
    return texts.some((text) => stored.includes(text));
  };
  await Promise.all([db.query_cache.filter(mayName).delete(), db.drafts.filter(mayName).delete()]);
}
