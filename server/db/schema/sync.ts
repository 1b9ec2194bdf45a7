import { sql } from 'drizzle-orm';
import { bigint, index, integer, json, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { AttentionResource } from '../../../domain/protocol/sync.ts';
import { clinicId, feedXid, instant, writtenAt } from './columns.ts';

/**
 * The receipt of an operation, written with its effects (SYNC-4). `reply` is the stored answer as text, because a replay
 * gets it byte for byte. No foreign keys: a refusal is kept even when it names what does not exist.
 */
export const syncOps = pgTable(
  'sync_ops',
  {
    clinicId: clinicId(),
    opId: uuid().notNull(),
    deviceId: integer(),
    deviceSeq: bigint({ mode: 'number' }),
    aggregate: text().notNull(),
    /** An operation's, that of a write under a key, or a word of `modules/sync` for what could not be read or never arrived. */
    kind: text().notNull(),
    v: integer().notNull(),
    actorId: integer().notNull(),
    uploadedBy: integer().notNull(),
    fingerprint: text().notNull(),
    /** As it came: read by people and by nothing else, so it is kept as text and not taken apart. */
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
    xid: feedXid(),
  },
  (table) => [
    primaryKey({ columns: [table.clinicId, table.opId] }),
    index().on(table.clinicId, table.deviceId, table.xid, table.opId),
    // The deeds among them, as the audit page reads them; the list of kinds is `operationActions`.
    index('sync_ops_deeds_idx')
      .on(table.clinicId, table.effectiveAt, table.opId)
      .where(
        sql`status = 'applied' and kind in ('order.create', 'order.add_services', 'order.cancel', 'order.pay', 'order.refund', 'stock.adjust')`,
      ),
  ],
);

/** What a person must look at, and who settled it. */
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
    /** Why a person settled it; what ended by itself has none. Free text, so the audit log does not repeat it. */
    settledReason: text(),
    xid: feedXid(),
  },
  (table) => [
    primaryKey({ columns: [table.clinicId, table.id] }),
    index().on(table.clinicId, table.xid, table.id),
    index().on(table.clinicId, table.orderId),
  ],
);
