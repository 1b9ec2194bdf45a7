import { Writable } from 'node:stream';
import { sql } from 'drizzle-orm';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { openDatabase } from '../../../server/db/database.ts';
import { handleError } from '../../../server/http/errors.ts';
import { logOptions } from '../../../server/http/log.ts';
import { freshDatabase } from '../../support/database.ts';

it('holds the kind and place of a fault, but neither tokens nor what was typed', async () => {
  const fresh = await freshDatabase();
  const database = openDatabase(fresh.connectionString);
  let log = '';
  const stream = new Writable({ write: (chunk: Buffer, _encoding, done) => (log += chunk.toString(), done()) });
  const app = Fastify({ logger: { ...logOptions, stream } });
  app.setErrorHandler(handleError);
  app.post('/orders', () => database.execute(sql`insert into audit_log (clinic_id, action) values (null, ${'Marta Gil, left molar'})`));
  await app.inject({ method: 'POST', url: '/orders?search=Marta', headers: { authorization: 'Bearer abc.def.ghi' }, payload: { notes: 'left molar' } });
  expect(log).toContain('"sqlState":"23502"');
  expect(log).toContain('audit_log');
  expect(log).toContain(' at ');
  for (const secret of ['Marta', 'molar', 'abc.def']) expect(log).not.toContain(secret);
  await app.close();
  await database.$client.end();
  await fresh.drop();
});
