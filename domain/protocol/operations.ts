/**
 * The operations that a device queues and the server applies (SYNC-1, SYNC-2): the list that joins the kinds of all nouns,
 * and the void, the one kind that is about other operations.
 *
 * To add a kind, declare it in its noun's `operations.ts` and `schemas.ts`. A new noun joins the lists here and in
 * `operation-schemas.ts`.
 */
import { drawerOperations } from '../drawer/operations.ts';
import type { DrawerPayloads } from '../drawer/operations.ts';
import { fiscalOperations } from '../fiscal/operations.ts';
import type { FiscalPayloads } from '../fiscal/operations.ts';
import { minorFromWire } from '../money.ts';
import { orderOperations } from '../order/operations.ts';
import type { OrderPayloads } from '../order/operations.ts';
import type { PaymentMethod } from '../order/vocabulary.ts';
import { patientOperations } from '../patient/operations.ts';
import type { PatientPayloads } from '../patient/operations.ts';
import { stockOperations } from '../stock/operations.ts';
import type { StockPayloads } from '../stock/operations.ts';
import type { Envelope, KindDefinitions, OperationsOf, OperationSummary } from '../wire/envelope.ts';

/** The payload version that this build writes for every kind. The server keeps a handler for each version in the field. */
export const operationVersion = 3;

interface NounPayloads extends OrderPayloads, StockPayloads, DrawerPayloads, FiscalPayloads, PatientPayloads {}

/**
 * A manager gives up an operation that the server refused, or that waits behind a refused one (SYNC-7). The void has the
 * aggregate of the voided operation. `supersedes` names the voided operation, or an earlier void of it that was refused.
 */
export interface VoidPayload {
  /** The voided operation. */
  op_id: string;
  /** At least 3 characters. */
  reason: string;
  /** Describes the voided operation, for the record of an operation that never reached the server. */
  voided?: { kind: keyof NounPayloads; number?: string | undefined; amount?: number | undefined } | undefined;
}

interface VoidPayloads {
  'operation.void': VoidPayload;
}

/** A void has no state of its own: it changes which operations are replayed. */
const voidOperations: KindDefinitions<VoidPayloads, never> = {
  'operation.void': {
    apply: (state) => state,
    summarize: ({ voided }) => ({
      number: voided?.number,
      amountMinor: voided?.amount === undefined ? null : minorFromWire(voided.amount),
    }),
  },
};

export interface PayloadOf extends NounPayloads, VoidPayloads {}
export type OperationKind = keyof PayloadOf;

const definitions = {
  ...orderOperations,
  ...stockOperations,
  ...drawerOperations,
  ...fiscalOperations,
  ...patientOperations,
  ...voidOperations,
};

export const operationKinds = Object.keys(definitions) as OperationKind[];

export type Operation<Kind extends OperationKind = OperationKind> = Envelope<Kind, PayloadOf[Kind]>;

/** An operation whose payload type follows from its `kind`. */
export type AnyOperation = OperationsOf<PayloadOf>;

export type VoidOperation = Operation<'operation.void'>;

export const isVoid = (operation: AnyOperation): operation is VoidOperation => operation.kind === 'operation.void';

/** Returns whether a manager may void operations of this kind. The server may not know the kind. */
export function isVoidable(kind: string): boolean {
  const definition = (definitions as Record<string, { isPermanent?: true } | undefined>)[kind];
  return definition?.isPermanent !== true;
}

export function summarizeOperation(operation: AnyOperation): OperationSummary & { method?: PaymentMethod | undefined } {
  const { summarize } = definitions[operation.kind] as {
    summarize: (payload: typeof operation.payload) => ReturnType<typeof summarizeOperation>;
  };
  return summarize(operation.payload);
}

/** Returns when an operation took effect as far as its device can tell: its time plus the offset known then (SYNC-14). */
export function occurredAtMs({ occurred_at, clock_offset_ms }: Envelope<string, unknown>): number {
  return Date.parse(occurred_at) + (clock_offset_ms ?? 0);
}
