import Fastify from 'fastify';
import { DatabaseError } from 'pg';
import { expect, test } from 'vitest';
import { DatabaseUnavailable } from '#server/db/transaction.ts';
import { handleError } from '#server/http/errors.ts';
import { sendRefusal } from '#server/http/refusals.ts';

async function answerTo(error: Error): Promise<[status: number, code: string]> {
  const app = Fastify();
  app.setErrorHandler(handleError);
  app.get('/', () => {
    throw error;
  });
  const reply = await app.inject('/');
  expect(reply.body).not.toContain('inside');
  return [reply.statusCode, reply.json<{ code: string }>().code];
}

/** An error that PostgreSQL has reported. */
const fault = (code: string) => Object.assign(new DatabaseError('of the inside', 0, 'error'), { code });

test.each([
  ['22003', 400, 'VALIDATION'],
  ['22021', 400, 'VALIDATION'],
  ['22P02', 400, 'VALIDATION'],
  ['40001', 503, 'TRY_AGAIN'],
  ['40P01', 503, 'TRY_AGAIN'],
  ['53300', 503, 'UNAVAILABLE'],
  ['57P01', 503, 'UNAVAILABLE'],
  ['42P01', 500, 'INTERNAL'],
  ['23505', 500, 'INTERNAL'],
])('PostgreSQL’s %s answers %i %s, also wrapped by the query builder', async (sqlState, status, code) => {
  expect(await answerTo(fault(sqlState))).toEqual([status, code]);
  expect(await answerTo(new Error('inside', { cause: fault(sqlState) }))).toEqual([status, code]);
});

test.each(['22003', '40001', '57P01', 'ECONNRESET', 'ECONNREFUSED', 'ENOENT', 'EPIPE'])(
  'an error of anything but the database answers 500, although it has the code %s',
  async (code) => {
    const other = Object.assign(new Error('of the inside'), { code });
    expect(await answerTo(other)).toEqual([500, 'INTERNAL']);
    expect(await answerTo(new Error('inside', { cause: other }))).toEqual([500, 'INTERNAL']);
  },
);

test('returns ID_TAKEN for a duplicate primary key, but not for other unique keys', async () => {
  const taken = (constraint: string) => Object.assign(fault('23505'), { constraint });
  expect(await answerTo(taken('payments_clinic_id_id_pk'))).toEqual([409, 'ID_TAKEN']);
  expect(await answerTo(taken('inside_name_index'))).toEqual([500, 'INTERNAL']);
});

test('distinguishes an unavailable database from a bug', async () => {
  expect(await answerTo(new DatabaseUnavailable(fault('inside')))).toEqual([503, 'UNAVAILABLE']);
  const ended = new DatabaseUnavailable(new Error('of the inside'));
  expect(await answerTo(new Error('inside', { cause: ended }))).toEqual([503, 'UNAVAILABLE']);
  expect(await answerTo(new TypeError('inside'))).toEqual([500, 'INTERNAL']);
});

test('sends errors as JSON when the route would have sent a file', async () => {
  const app = Fastify();
  app.setErrorHandler(handleError);
  app.get('/refused', (_request, reply) => sendRefusal(reply.type('application/pdf'), { code: 'EXPORT_BUSY' }));
  app.get('/broken', (_request, reply) => {
    void reply.type('text/csv; charset=utf-8');
    throw new Error('inside');
  });
  for (const [url, code] of [
    ['/refused', 'EXPORT_BUSY'],
    ['/broken', 'INTERNAL'],
  ] as const) {
    const reply = await app.inject(url);
    expect([reply.headers['content-type'], reply.json<{ code: string }>().code]).toEqual([
      'application/json; charset=utf-8',
      code,
    ]);
  }
});
