/** Operations as they arrive: each is parsed by itself, and a malformed one is refused alone. */
import { canonicalJson } from '#domain/wire/canonical-json.ts';
import { batchSchema, envelopeSchema, payloadSchemas } from '#domain/protocol/operation-schemas.ts';
import { isVoid, operationVersion } from '#domain/protocol/operations.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import type { Refusal } from '#domain/result.ts';
import { isoOf } from '#domain/instant.ts';
import type { z } from 'zod';
import { sentencesOf, unknownKeys } from '../http/validation.ts';
import type { Issue } from '../http/validation.ts';
import type { Rewriting, Source } from './operation-module.ts';
import type { Verifier } from './proof.ts';
import { fingerprintOf, fingerprintOfText } from './receipts.ts';
import type { OperationRegistry } from './registry.ts';
import { closedBy } from './voids.ts';

/** The aggregate, or the kind, that could not be read in an envelope. */
export const unreadable = 'unknown';

export interface Incoming {
  source: Source;
  operation: AnyOperation;
  fingerprint: string;
  /** Set when an operation from a device proves its actor and its device. */
  isProven?: boolean;
  /** Set when the operation carries an approval that was not given for it. `operation` is then without it. */
  isApprovalFalse?: boolean;
  /** Set when a manager has admitted the operation of a revoked device. */
  isAdmitted?: boolean;
  /** Set when the operation is malformed: it is refused for this, whatever else it says. */
  malformed?: Refusal;
  /** Set when a screen has rewritten the operation: what its receipt stores. */
  receipt?: Rewriting['receipt'];
  /** Set when nobody can repeat the request, which has no idempotency key: its refusal leaves no receipt. */
  isUnrepeatable?: boolean;
}

export type RawOperation = z.infer<typeof batchSchema>['operations'][number];

/** Parses one operation of a batch. It never throws: a malformed operation is stored with its refusal. */
export function parseOperation(
  registry: OperationRegistry,
  verifier: Verifier,
  raw: RawOperation,
  receivedAtMs: number,
): Incoming {
  const payloadText = canonicalJson(raw['payload']);
  const incoming = {
    ...readOperation(registry, raw, payloadText, receivedAtMs),
    isProven: verifier.proves(raw, payloadText),
  };
  if (raw['approval'] === undefined || verifier.approves(raw, payloadText)) return incoming;
  // Nothing else is to read a name that the operation only claims.
  const { approval: _claimed, ...operation } = incoming.operation;
  return { ...incoming, operation, isApprovalFalse: true };
}

function readOperation(
  registry: OperationRegistry,
  raw: RawOperation,
  payloadText: string,
  receivedAtMs: number,
): Incoming {
  const envelope = envelopeSchema.safeParse(raw);
  if (!envelope.success) return withBrokenEnvelope(raw, receivedAtMs, envelope.error);
  const { kind, payload } = envelope.data;
  const fingerprint = fingerprintOfText(kind, payloadText);
  const parsed = payloadSchemas[kind].safeParse(payload);
  // A newer version's payload may have another form; it waits for a server that knows it.
  const operation = { ...envelope.data, payload: parsed.success ? parsed.data : storable(payload) } as AnyOperation;
  if (envelope.data.v > operationVersion) return { source: 'device', operation, fingerprint };
  if (!parsed.success)
    return { source: 'device', operation, fingerprint, malformed: validationRefusal(parsed.error.issues, payload) };
  const unknown = Object.keys(raw).filter((key) => !(key in envelopeSchema.shape));
  if (unknown.length > 0)
    return { source: 'device', operation, fingerprint, malformed: validationRefusal([unknownKeys(unknown)], raw) };
  const mismatch = mismatchOf(registry, operation);
  return {
    source: 'device',
    operation,
    fingerprint,
    ...(mismatch && { malformed: { code: 'VALIDATION', details: mismatch } }),
  };
}

/** Returns the field of the envelope that contradicts the payload. */
function mismatchOf(registry: OperationRegistry, operation: AnyOperation): Record<string, string> | null {
  // Following such a receipt to its replacement would never end.
  if (closedBy(operation).includes(operation.op_id)) return { supersedes: 'is the operation itself' };
  if (isVoid(operation)) return operation.supersedes ? null : { supersedes: 'is required' };
  return registry.aggregateOf(operation) === operation.aggregate ? null : { aggregate: 'does not match the payload' };
}

/**
 * Keeps the well-formed fields of a malformed envelope, so that a manager sees whose work was refused and can give it
 * up.
 */
function withBrokenEnvelope(raw: RawOperation, receivedAtMs: number, error: z.ZodError): Incoming {
  const readable = Object.entries(envelopeSchema.omit({ v: true }).shape).flatMap(([field, schema]) => {
    const { success, data } = schema.safeParse(raw[field]);
    return success ? [[field, data]] : [];
  });
  const fields = storable(Object.fromEntries(readable));
  const operation = { ...blankOperation(raw.op_id, receivedAtMs), ...fields } as AnyOperation;
  const version = envelopeSchema.shape.v.safeParse(raw['v']);
  // A newer app has kinds that this server does not know: they wait like all of its operations.
  if (version.success && version.data > operationVersion)
    return {
      source: 'device',
      operation: { ...operation, v: version.data },
      fingerprint: fingerprintOf(unreadable, raw),
    };
  return {
    source: 'device',
    operation,
    fingerprint: fingerprintOf(unreadable, raw),
    malformed: validationRefusal(error.issues, raw),
  };
}

/** NUL and lone surrogates as JSON escapes them, and an escaped backslash, which may stand before what only looks like one. */
const unstorable = /\\(?:\\|u(?:0000|d[89a-f][0-9a-f]{2}))/g;

/**
 * Replaces the characters that PostgreSQL does not store by U+FFFD. One such operation would fail the transaction of its
 * batch, and each of the others would need one of its own.
 */
function storable<T>(value: T): T {
  const text = JSON.stringify(value);
  const replaced = text.replace(unstorable, (escape) => (escape === '\\\\' ? escape : '\ufffd'));
  return replaced === text ? value : (JSON.parse(replaced) as T);
}

/** Returns an empty envelope: a refusal can be stored under it whatever was sent. */
export function blankOperation(opId: string, receivedAtMs: number): AnyOperation {
  return {
    op_id: opId,
    device_id: 0,
    device_seq: 0,
    aggregate: unreadable,
    depends_on: [],
    kind: unreadable,
    v: operationVersion,
    payload: {},
    actor_id: 0,
    occurred_at: isoOf(receivedAtMs),
    clock_offset_ms: null,
  } as unknown as AnyOperation;
}

/** Names the wrong fields by path, never by value, which may be a patient's. */
function validationRefusal(issues: readonly (Issue | z.core.$ZodIssue)[], input: unknown): Refusal {
  return { code: 'VALIDATION', details: sentencesOf(issues.slice(0, 5), input, 'en') };
}

/** False for a malformed operation and for one of a newer app: its payload may have any form. */
export const isReadable = ({ operation, malformed }: Incoming): boolean =>
  !malformed && operation.v <= operationVersion;

/** Returns the operations that this one replaces, never itself. A void that cannot be read closes nothing. */
export function closes(incoming: Incoming): string[] {
  const { operation } = incoming;
  if (isVoid(operation) && !isReadable(incoming)) return [];
  return closedBy(operation).filter((opId) => opId !== operation.op_id);
}
