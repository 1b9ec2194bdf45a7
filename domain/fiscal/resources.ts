/** What managers see of fiscal records and of their sending. */
import type { AgencyAdvice } from './advice.ts';
import type { FiscalRecord } from './record.ts';
import type { ChainFault } from './verify.ts';

/** `not_sent`: the record was made without the profile, or outside the time of VERI*FACTU. */
export const sendingStates = ['unsent', 'accepted', 'accepted_with_errors', 'rejected', 'not_sent'] as const;
export type SendingState = (typeof sendingStates)[number];

/** How the tax agency's answer for a record came: to a call with the record, or to a question about a month. */
export type AnswerOrigin = 'call' | 'query';

/**
 * Why an unsent record is held back. `document`: its document has not been applied. `difference`: it contradicts its
 * document. `code`: the server has granted its code to nobody. `agency`: it is cancelled, or cancels another record, and a restored
 * server first asks the tax agency whether it has the document.
 */
const holdReasons = ['document', 'difference', 'code', 'agency'] as const;
export type HoldReason = (typeof holdReasons)[number];

/** The choices of the list's filter; `faulty` are records that the agency rejected or accepted with errors. */
export const recordFilters = ['held', 'faulty', ...sendingStates] as const;
export type RecordFilter = (typeof recordFilters)[number];

export interface CertificateResource {
  holder: string;
  expires_at: string;
  /** The tax number that it names where that is not the clinic's: the agency takes it from an authorised third party only. */
  other_tax_id: string | null;
}

/** What a screen shows of the certificate, on which another one that takes its place rests. */
export const certificateSeen = ['holder', 'expires_at'] as const satisfies readonly (keyof CertificateResource)[];

/** `GET /fiscal/sending` */
export interface SendingStatus {
  /** False on an installation without the agency's address: its records wait. */
  can_send: boolean;
  /** The time since which the oldest unsent record waits. */
  unsent_since: string | null;
  counts: Record<SendingState, number>;
  /** When the agency last answered for a record of this clinic. */
  last_reply_at: string | null;
  /** The earliest time of the next call; null before the first. A call is made only while records are unsent. */
  next_call_at: string | null;
  /** The calls without an answer since the last answer. */
  failures: number;
  certificate: CertificateResource | null;
}

/** `GET /fiscal/chains`: the records under one device code. */
export interface ChainResource {
  chain: string;
  /** 0 for the server's own. */
  device_id: number;
  device_name: string;
  count: number;
  unsent: number;
  /** The last record. */
  head: { sequence: number; number: string; issued_on: string; seal: string; received_at: string };
}

/** `GET /fiscal/verify` */
export interface Verification {
  /** True when nothing was found, and the printed head was. */
  intact: boolean;
  chains: VerifiedChain[];
  /** The first invoices and credit notes without a record (`mostUnrecorded`), an hour after they arrived. */
  unrecorded: UnrecordedDocument[];
  /** The first contradictions between records, documents, payments and the answers of the tax agency (`mostUnrecorded`). */
  contradictions: StoredFault[];
  /** The first finished days whose Z report states other amounts than the records of its documents (`mostUnrecorded`). */
  days: DayDifference[];
  /** False for a printed head that no chain contains; null when none was given. */
  head_found: boolean | null;
}

/**
 * What contradicts a record, a document or a treatment, by its number. `document`: the record differs from the document.
 * `no_document`: the record has no document. `reply`: the agency's stored answers differ from the record's state. `noted`: its
 * sending is not stored, although earlier records have one. `payment`: the payment of the invoice is missing. `totals`: the
 * amounts by tax do not add up to the total. `paid`: more or less counts as paid than was paid.
 */
const storedFaults = ['document', 'no_document', 'reply', 'noted', 'payment', 'totals', 'paid'] as const;

export interface StoredFault {
  number: string;
  fault: (typeof storedFaults)[number];
}

/** Amounts of a business day: of the fiscal records, and of the Z report. */
export interface DayDifference {
  day: string;
  recorded: number;
  reported: number;
}

/** As many documents without a record are named. */
export const mostUnrecorded = 100;

export interface UnrecordedDocument {
  number: string;
  order_id: string;
  issued_at: string;
}

export interface VerifiedChain {
  chain: string;
  /** 0 for the server's own. */
  device_id: number;
  /** The number of records. */
  count: number;
  /** The seal of the last record. */
  seal: string;
  /** The first faults. */
  faults: { sequence: number; fault: ChainFault }[];
}

/** A record in the list, without what it says of the recipient. */
export interface RecordResource {
  id: number;
  chain: string;
  device_id: number;
  sequence: number;
  type: FiscalRecord['type'];
  number: string;
  /** Null of a cancellation, as the total. */
  document_type: string | null;
  issued_on: string;
  total: string | null;
  generated_at: string;
  state: SendingState;
  /** Why the record is held back; null for one that is not. */
  held_for: HoldReason | null;
  /** The agency's number of the error, its text, and what to do. */
  code: number | null;
  message: string | null;
  advice: AgencyAdvice | null;
  replied_at: string | null;
  /** True for the last record of its document, where the agency found errors that a correction can mend. */
  is_correctable: boolean;
  /** True for a record without an applied document, or one that contradicts it. */
  is_annullable: boolean;
  has_recipient: boolean;
}

/** `GET /fiscal/records`, the latest first. */
export interface RecordsPage {
  data: RecordResource[];
  /** The cursor of the next page; null on the last one. */
  next: string | null;
}

/** `GET /fiscal/declaration`: the responsible declaration of the producer. Fields that nobody has filled in are empty. */
export interface DeclarationResource {
  system: string;
  system_id: string;
  version: string;
  producer: { name: string; tax_id: string; address: string };
  place: string;
  /** A day (`yyyy-mm-dd`). */
  date: string;
  /** The version that the producer has signed the declaration for. */
  signed_version: string;
  /** True when every field is there and the declaration is of the running version. */
  is_signed: boolean;
}
