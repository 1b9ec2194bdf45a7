/**
 * How a REST write goes that is no operation of a device: in one transaction, under its idempotency key, audited, and with a
 * poke to the tablets once it is committed, where they show what it changed.
 */
import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { problemMessages } from '../../domain/problems.ts';
import type { Problems } from '../../domain/problems.ts';
import type { Refusal, Result } from '../../domain/result.ts';
import { uuidV7 } from '../../domain/uuid.ts';
import { queriesOver } from '../db/database.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Sql } from '../db/sql.ts';
import type { Deps } from '../deps.ts';
import { keyOf, sendStored } from './idempotency.ts';
import { recordAudit } from '../modules/audit/service.ts';
import type { AuditEntry } from '../modules/audit/service.ts';
import { applyOnce, publishChange } from '../modules/sync/service.ts';
import type { Session } from '../modules/users/service.ts';

/** What a write is made with: one connection within a transaction, who asks, and when. */
export interface Writing {
  sql: Sql;
  session: Session;
  clinicId: number;
  atMs: number;
  newId: () => string;
}

export interface WriteCall {
  kind: string;
  status?: 200 | 201;
  /** What a repetition must equal, where that is not the body as it came. */
  body?: unknown;
  /** What it goes by, where that is not all of its noun. */
  aggregate?: string;
}

/** A write must have written nothing when it refuses. */
export type Work = (writing: Writing) => Promise<Result<unknown>>;

export type RestWrite = (
  request: FastifyRequest,
  reply: FastifyReply,
  call: WriteCall,
  work: Work,
) => Promise<FastifyReply>;

type WriteDeps = Pick<Deps, 'database' | 'clock'>;

/**
 * Writes what the change feed tells.
 *
 * @param aggregate what a clinic's writes go by one after the other, so that a rule which spans rows — a name that only one
 *   of them has — holds whatever arrives at the same time
 */
export const feedWrites = (deps: WriteDeps, aggregate: string): RestWrite =>
  restWrites(deps, { aggregate, pokes: true });

/** Writes what only the desk shows, and no tablet has to be told. */
export const deskWrites = (deps: WriteDeps, aggregate: string): RestWrite =>
  restWrites(deps, { aggregate, pokes: false });

function restWrites(
  { database, clock }: WriteDeps,
  { aggregate: whole, pokes }: { aggregate: string; pokes: boolean },
): RestWrite {
  const pool = database.$client;
  return async (request, reply, { kind, status = 200, body = request.body, aggregate = whole }, work) => {
    const { session } = request;
    const { clinicId } = session;
    const atMs = clock();
    const newId = () => uuidV7(atMs, randomBytes(10));
    const keyed = {
      session,
      receivedAtMs: atMs,
      opId: keyOf(request),
      kind,
      aggregate,
      body: { body, params: request.params },
    };
    const outcome = await inTransaction(pool, (sql) =>
      applyOnce(sql, keyed, status, () => work({ sql, session, clinicId, atMs, newId })),
    );
    if (pokes && !outcome.replayed && outcome.httpStatus < 300) publishChange(pool, clinicId);
    return sendStored(reply, kind, outcome);
  };
}

export async function audit({ sql, session, atMs }: Writing, entry: Omit<AuditEntry, 'at'>): Promise<void> {
  await recordAudit(queriesOver(sql), session, { ...entry, at: atMs });
}

/** The refusal of a form: by field, the sentence of what is wrong with it. */
export const problemRefusal = (problems: Problems<string>): Refusal => ({
  code: 'VALIDATION',
  details: problemMessages(problems),
});

/** What changed between two documents, for the audit log. Pictures are named, not quoted. */
export function changedFields<T extends object>(before: T, after: T): Record<string, string> {
  const said = (value: unknown) => JSON.stringify(value).slice(0, 200);
  const fields = (Object.keys(after) as (keyof T & string)[]).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
  return Object.fromEntries(
    fields.map((field) => [
      field,
      field === 'image_url' ? 'changed' : `${said(before[field])} → ${said(after[field])}`,
    ]),
  );
}

/** The fields of `base`, each as the change says it where it says anything. */
export function merged<T extends object>(base: T, change: { [Field in keyof T]?: T[Field] | undefined }): T {
  const fields = Object.entries(base).map(([field, value]) => {
    const said = change[field as keyof T];
    return [field, said === undefined ? value : said];
  });
  return Object.fromEntries(fields) as T;
}
