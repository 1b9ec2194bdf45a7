/**
 * REST writes: each runs in one transaction under its idempotency key, and notifies the tablets after the commit where
 * they show what it changed.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OperationKind, PayloadOf } from '#domain/protocol/operations.ts';
import { refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import { changedSince } from '#domain/seen.ts';
import type { Seen } from '#domain/seen.ts';
import { withinClinic } from '../db/database.ts';
import { newIdAt } from '../context.ts';
import type { Session, WriteContext } from '../context.ts';
import type { Sql } from '../db/sql.ts';
import { inTransaction } from '../db/transaction.ts';
import { publishChange } from '../events/pokes.ts';
import { receiptIdOf, sendStored } from '../http/idempotency.ts';
import type { Ports, RoutePorts } from '../ports.ts';
import { applyOnce } from './idempotent-write.ts';
import { applyRequest } from './rest-entry.ts';
import type { OperationRequest } from './rest-entry.ts';

export interface WriteCall {
  /** The name in the receipt and in the metrics, such as `room.create`. */
  kind: string;
  /** The status of a success; 200 by default. */
  status?: 200 | 201;
  /** The value that a repetition under the same key must equal; defaults to the request's body. */
  body?: unknown;
  /** The lock key; defaults to the one that the handler was made with. */
  aggregate?: string;
  /**
   * Reads the record that is changed or decided on, as its resource. The write is refused if the record is not what the
   * request has seen of it (`seen` in the body).
   */
  record?: (sql: Sql, clinicId: number) => Promise<object | null | undefined>;
}

/** Does the work of a write. It must not have written anything when it refuses. */
export type Work = (context: WriteContext) => Promise<Result<unknown>>;

/** Runs a write and sends its reply. */
export type WriteHandler = (
  request: FastifyRequest,
  reply: FastifyReply,
  call: WriteCall,
  work: Work,
) => Promise<FastifyReply>;

type WritePorts = Pick<Ports, 'database' | 'clock'>;

/**
 * Returns a handler for writes of rows that tablets read from the change feed.
 *
 * @param aggregate the lock key. Writes of one clinic that share it run one after the other, so a rule that spans rows,
 * such as a unique name, also holds for writes that arrive together
 */
export const feedWrites = (ports: WritePorts, aggregate: string): WriteHandler =>
  restWrites(ports, { aggregate, pokes: true });

/** Returns a handler for writes of rows that only the back office shows: no tablet is notified. */
export const deskWrites = (ports: WritePorts, aggregate: string): WriteHandler =>
  restWrites(ports, { aggregate, pokes: false });

function restWrites(
  { database, clock }: WritePorts,
  { aggregate: defaultAggregate, pokes }: { aggregate: string; pokes: boolean },
): WriteHandler {
  return async (
    request,
    reply,
    { kind, status = 200, body = request.sentBody ?? request.body, aggregate = defaultAggregate, record },
    work,
  ) => {
    const { session } = request;
    const pool = withinClinic(database, session.clinicId);
    const atMs = clock();
    const { params } = request;
    const write = {
      opId: receiptIdOf(request),
      kind,
      aggregate,
      body: { body, params },
      kept: { body: withoutSeen(body), params },
    };
    const outcome = await inTransaction(pool, (sql) => {
      const context = contextOf(sql, session, atMs);
      return applyOnce(
        context,
        write,
        status,
        async () => (record && (await changedUnseen(context, request.body, record))) ?? work(context),
      );
    });
    if (pokes && !outcome.replayed && outcome.httpStatus < 300) publishChange(pool, session.clinicId);
    return sendStored(reply, kind, outcome);
  };
}

/** Returns a body without what its screen showed, of which a receipt would be a copy. */
function withoutSeen(body: unknown): unknown {
  if (body === null || typeof body !== 'object' || !('seen' in body)) return body;
  const { seen: _seen, ...kept } = body;
  return kept;
}

/** Returns a refusal with the stored values of what has changed since the request's screen showed the record. */
async function changedUnseen(
  { sql, clinicId }: WriteContext,
  body: unknown,
  record: NonNullable<WriteCall['record']>,
): Promise<Result<never> | undefined> {
  const { seen, ...wanted } = (body ?? {}) as { seen?: Seen };
  const stored = seen && (await record(sql, clinicId));
  // What is gone is for the work to tell.
  const changed = stored ? changedSince(seen, stored, wanted) : {};
  return Object.keys(changed).length > 0 ? refuse('CHANGED_MEANWHILE', changed) : undefined;
}

function contextOf(sql: Sql, session: Session, atMs: number): WriteContext {
  const { clinicId, userId, deviceId } = session;
  return { sql, session, clinicId, userId, deviceId, atMs, newId: () => newIdAt(atMs) };
}

export interface OperationCall<K extends OperationKind> extends Omit<
  OperationRequest,
  'opId' | 'isKeyed' | 'complete'
> {
  kind: K;
  complete: (...given: Parameters<OperationRequest['complete']>) => Promise<Result<PayloadOf[K]>>;
}

/** Applies a request as the operation that a tablet would have queued, and sends its reply. */
export type OperationHandler = <K extends OperationKind>(
  request: FastifyRequest,
  reply: FastifyReply,
  call: OperationCall<K>,
) => Promise<FastifyReply>;

/** Returns a handler for REST writes that are operations. Without an idempotency key a request gets a new id. */
export function operationWrites({ database, clock, operations: registry }: RoutePorts): OperationHandler {
  return async (request, reply, call) => {
    const { session } = request;
    const pool = withinClinic(database, session.clinicId);
    const atMs = clock();
    const key = receiptIdOf(request);
    const operation = { ...call, opId: key ?? newIdAt(atMs), isKeyed: key !== undefined };
    const outcome = await inTransaction(pool, (sql) =>
      applyRequest(registry, contextOf(sql, session, atMs), operation),
    );
    if (!outcome.replayed && outcome.status === 'applied') publishChange(pool, session.clinicId);
    return sendStored(reply, call.kind, outcome);
  };
}
