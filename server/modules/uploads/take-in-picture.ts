/** Turns the https address of a picture in a body into an upload: no browser of the clinic loads a foreign picture. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { withinClinic } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { receiptIdOf } from '#server/http/idempotency.ts';
import { sendRefusal } from '#server/http/refusals.ts';
import { invalidField, sendInvalid } from '#server/http/validation.ts';
import type { SentenceName } from '#server/http/validation.ts';
import { loadReceipts } from '#server/operations/receipts.ts';
import type { Ports } from '#server/ports.ts';
import { pictureFetcher } from './fetch-picture.ts';
import { keepUpload, prepareUpload } from './keep.ts';
import type { PreparedUpload } from './keep.ts';
import { spaceOf } from './space.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as sent, where the handler gets another: what a repetition under the same key must equal. */
    sentBody?: unknown;
  }
}

/** Returns a hook for routes whose body has an `image_url`. It fetches before the write's transaction, and outside of any turn. */
export function takeInPicture(ports: Ports) {
  const { database, clock, fetchPicture = pictureFetcher() } = ports;
  const space = spaceOf(ports);

  async function fetchAndPrepare(url: string): Promise<PreparedUpload | SentenceName> {
    const fetched = await fetchPicture(url);
    if (!fetched.ok) return fetched.fault;
    const prepared = await prepareUpload({ name: 'picture.png', content: fetched.content, purpose: 'picture' });
    return prepared.ok ? prepared.value : 'pictureType';
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const body = request.body as { image_url?: string | null };
    const { session } = request;
    const pool = withinClinic(database, session.clinicId);
    const url = body.image_url;
    if (!url?.startsWith('https:')) return undefined;
    request.sentBody = { ...body };
    const own = ownUpload(url, session.clinicId);
    if (own !== null) {
      body.image_url = own;
      return undefined;
    }
    const key = receiptIdOf(request);
    // A repetition gets its stored reply.
    if (key !== undefined && (await loadReceipts(pool, session.clinicId, [key])).has(key)) return undefined;
    const picture = await request.server.turns.outside(request, () => fetchAndPrepare(url));
    if (typeof picture === 'string') return sendInvalid(request, reply, [invalidField('image_url', picture)]);
    const kept = await inTransaction(pool, (sql) => keepUpload(sql, session, picture, { ...space, atMs: clock() }));
    if (!kept.ok) return sendRefusal(reply, kept.refusal);
    body.image_url = kept.value.url;
    return undefined;
  };
}

/** Returns the path of an upload of this clinic whose address was copied from a browser. */
function ownUpload(url: string, clinicId: number): string | null {
  const { pathname } = URL.canParse(url) ? new URL(url) : { pathname: '' };
  const ofClinic = /^\/uploads\/(\d+)\/[\w-]+\.webp$/.exec(pathname)?.[1];
  return ofClinic === String(clinicId) ? pathname : null;
}
