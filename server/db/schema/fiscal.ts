/** Fiscal records, which tell the tax agency of documents, in chains (`domain/fiscal`), and what became of them. */
import { sql } from 'drizzle-orm';
import { bigint, foreignKey, index, integer, json, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { FiscalRecord } from '#domain/fiscal/record.ts';
import type { AnswerOrigin, HoldReason, SendingState } from '#domain/fiscal/resources.ts';
import { clinics } from './clinics.ts';
import { bytes, clinicId, instant } from './columns.ts';

/** Rows are only added: `fiscalSendings` has what changes about a record. */
export const fiscalRecords = pgTable(
  'fiscal_records',
  {
    clinicId: clinicId().references(() => clinics.id),
    /** The order of arrival. */
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    /** The device code under which the chain's documents are numbered. */
    chain: text().notNull(),
    /** The device whose record it is; 0 for the server's own. Two devices that claim one code have a chain each. */
    deviceId: integer().notNull(),
    sequence: integer().notNull(),
    type: text().$type<FiscalRecord['type']>().notNull(),
    number: text().notNull(),
    /** The operation of the document. No foreign key: a document may be refused, or arrive later. */
    documentOpId: uuid().notNull(),
    hash: text().notNull(),
    seal: text().notNull(),
    /** The record as it was made: `json` keeps its text. */
    record: json().$type<FiscalRecord>().notNull(),
    receivedAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.clinicId, table.id] }),
    index().on(table.clinicId, table.chain, table.deviceId, table.sequence),
    index().on(table.clinicId, table.documentOpId),
    // Records come in the order of time, so a block range index is enough.
    index().using('brin', table.clinicId, table.receivedAt),
    // Searches match the beginning.
    index().on(table.clinicId, table.number.op('text_pattern_ops')),
  ],
);

/**
 * What became of the records of clinics with VERI*FACTU. A record from before has no row. A trigger holds its states to the
 * answers of the tax agency.
 */
export const fiscalSendings = pgTable(
  'fiscal_sendings',
  {
    clinicId: clinicId(),
    recordId: bigint({ mode: 'number' }).notNull(),
    /** The issuer's tax number. */
    taxId: text().notNull(),
    /** `not_sent`: it was made without the profile, or outside the time of VERI*FACTU. */
    state: text().$type<SendingState>().notNull(),
    /** Why the unsent record is held back, and with it what stands behind it in its chain; null for one that is not. */
    heldFor: text().$type<HoldReason>(),
    /** The calls with this record, counted before each. */
    attempts: integer().notNull().default(0),
    /** The agency's number of the error, and its text. */
    code: integer(),
    message: text(),
    repliedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.clinicId, table.recordId] }),
    foreignKey({
      columns: [table.clinicId, table.recordId],
      foreignColumns: [fiscalRecords.clinicId, fiscalRecords.id],
    }),
    index('fiscal_sendings_unsent')
      .on(table.clinicId, table.taxId, table.recordId)
      .where(sql`state = 'unsent'`),
    index('fiscal_sendings_held')
      .on(table.clinicId, table.recordId)
      .where(sql`held_for is not null`),
    index('fiscal_sendings_duplicate')
      .on(table.taxId)
      .where(sql`state = 'rejected' and code in (3000, 3001)`),
  ],
);

/** What the tax agency answered for records, with its receipts. Rows are only added; what the agency wrote of people is not kept here. */
export const fiscalAnswers = pgTable(
  'fiscal_answers',
  {
    clinicId: clinicId(),
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    recordId: bigint({ mode: 'number' }).notNull(),
    /** Whether the record was sent, or the agency asked about it. */
    origin: text().$type<AnswerOrigin>().notNull(),
    /** In the agency's words: a record that it has already is rejected. */
    state: text().$type<SendingState>().notNull(),
    code: integer(),
    /** The agency's receipt (CSV) of the call; null where it took nothing of it, and of a query. */
    csv: text(),
    /** The time of the receipt by the agency's clock. */
    presentedAt: instant(),
    receivedAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.clinicId, table.id] }),
    foreignKey({
      columns: [table.clinicId, table.recordId],
      foreignColumns: [fiscalRecords.clinicId, fiscalRecords.id],
    }),
    index().on(table.clinicId, table.recordId),
  ],
);

/** The months of which the tax agency is still asked what it has of a taxpayer. A row goes when all pages are read. */
export const fiscalInquiries = pgTable(
  'fiscal_inquiries',
  {
    taxId: text().notNull(),
    /** `yyyy-mm` */
    month: text().notNull(),
    /** The last document of the page before; null before the first page. */
    afterNumber: text(),
    afterIssuedOn: text(),
    nextAt: instant().notNull(),
    /** The questions without an answer since the last answer. */
    failures: integer().notNull().default(0),
    /** Since when records of this month were rejected as duplicates, whose chains wait; null where all records of the taxpayer wait. */
    doubtsSince: instant(),
  },
  (table) => [primaryKey({ columns: [table.taxId, table.month] })],
);

/** Documents of the server that the tax agency has and a restored backup lacks. */
export const fiscalLostDocuments = pgTable(
  'fiscal_lost_documents',
  {
    clinicId: clinicId().references(() => clinics.id),
    number: text().notNull(),
    /** `dd-mm-yyyy` */
    issuedOn: text().notNull(),
    foundAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.clinicId, table.number] })],
);

/** The pace of the calls for a taxpayer, who may have several clinics. */
export const fiscalSenders = pgTable('fiscal_senders', {
  taxId: text().primaryKey(),
  /** The earliest time of the next call; it is moved before each call, so that a process that dies breaks no pace. */
  nextCallAt: instant().notNull(),
  /** The wait between calls, as the last reply asked for. */
  waitSeconds: integer().notNull(),
  /** The calls without an answer since the last answer. */
  failures: integer().notNull().default(0),
  /** How many of the next records hold one for which the agency refused a call; the most that one may have otherwise. */
  mostRecords: integer().notNull(),
});

/** The certificates with which clinics sign in to the tax agency. */
export const fiscalCertificates = pgTable('fiscal_certificates', {
  clinicId: clinicId()
    .primaryKey()
    .references(() => clinics.id),
  /** The PKCS#12 file and its passphrase, encrypted (`certificate.ts`). */
  sealed: bytes().notNull(),
  holder: text().notNull(),
  /** The tax number that it names; null where it names none. */
  taxId: text(),
  expiresAt: instant().notNull(),
  uploadedAt: instant().notNull(),
  /** When the agency was last called for the clinic; null before the first call. */
  calledAt: instant(),
});
