import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, json, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { receiptKindList } from '#domain/protocol/kinds.ts';
import type { AttentionResource } from '#domain/protocol/sync.ts';
import { clinicId, feedXid, instant, writtenAt } from './columns.ts';

/**
 * The receipt of an operation, written with its effects (SYNC-4). `reply` is text, because a replay returns it byte for
 * byte. No foreign keys: a refusal is stored even when it names missing rows.
 */
export const syncOps = pgTable(
  'sync_ops',
  {
    clinicId: clinicId(),
    opId: uuid().notNull(),
    deviceId: integer(),
    deviceSeq: bigint({ mode: 'number' }),
    aggregate: text().notNull(),
    /** The kind of an operation or of a keyed write, or a marker for an entry that was unreadable or never arrived. */
    kind: text().notNull(),
    v: integer().notNull(),
    actorId: integer().notNull(),
    uploadedBy: integer().notNull(),
    /** The names at that time; null where there is no such person. */
    actorName: text(),
    uploaderName: text(),
    /** Who approved what the actor alone may not do. */
    approvedBy: integer(),
    approverName: text(),
    fingerprint: text().notNull(),
    /** The payload as received. Only people read it, so it is stored as text. */
    payload: json().notNull(),
    occurredAt: instant().notNull(),
    clockOffsetMs: bigint({ mode: 'number' }),
    receivedAt: instant()
      .notNull()
      .default(sql`now()`),
    effectiveAt: instant().notNull(),
    status: text().$type<'applied' | 'refused'>().notNull(),
    reply: text().notNull(),
    httpStatus: integer().notNull(),
    supersedes: uuid(),
    supersededBy: uuid(),
    /** The number of operations that this one replaced, one after the other (SYNC-7). */
    replaced: integer().notNull().default(0),
    /** True once payload and reply have lost the text about an erased patient. The device then replaces its own copy. */
    rewritten: boolean().notNull().default(false),
    xid: feedXid(),
  },
  (table) => [
    primaryKey({ columns: [table.clinicId, table.opId] }),
    index().on(table.clinicId, table.deviceId, table.xid, table.opId),
    // The operations of one treatment.
    index().on(table.clinicId, table.aggregate),
    // The receipts on the audit page.
    index('sync_ops_deeds_idx')
      .on(table.clinicId, table.effectiveAt, table.opId)
      .where(sql.raw(`status = 'applied' and kind in (${receiptKindList})`)),
  ],
);

/**
 * The ids in payload and reply of receipts whose aggregate names no patient: of refused operations, and of writes to patients. An
 * erasure finds the receipts of a patient by them.
 */
export const receiptMentions = pgTable(
  'receipt_mentions',
  {
    clinicId: clinicId(),
    mentioned: uuid().notNull(),
    opId: uuid().notNull(),
  },
  (table) => [primaryKey({ columns: [table.clinicId, table.mentioned, table.opId] })],
);

/** Attention items, and who settled them. */
export const attentionItems = pgTable(
  'attention_items',
  {
    clinicId: clinicId(),
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    kind: text().$type<AttentionResource['kind']>().notNull(),
    opId: uuid(),
    opKind: text(),
    orderId: uuid(),
    details: jsonb().$type<AttentionResource['details']>().notNull().default({}),
    createdAt: writtenAt.createdAt,
    settledAt: instant(),
    settledBy: integer(),
    /**
     * The reason of the person who settled the item; null when it ended by itself. Free text, so the audit log omits
     * it.
     */
    settledReason: text(),
    xid: feedXid(),
  },
  (table) => [
    primaryKey({ columns: [table.clinicId, table.id] }),
    index().on(table.clinicId, table.xid, table.id),
    index().on(table.clinicId, table.orderId),
    index()
      .on(table.clinicId, table.opId)
      .where(sql`op_id is not null`),
    // Counts the open items of a device.
    index('attention_items_open')
      .on(table.clinicId, table.kind, sql`(details ->> 'device')`)
      .where(sql`settled_at is null`),
  ],
);
