import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { textSchema } from '../../domain/protocol/schemas.ts';
import { batchSchema } from '../../domain/protocol/operation-schemas.ts';
import { maxBatchBytes } from '../../domain/protocol/sync.ts';
import { may } from '../../domain/permissions.ts';
import { isoOf } from '../db/sql.ts';
import type { Routes } from '../ports.ts';
import { requires } from '../http/access.ts';
import { unkeyed } from '../http/idempotency.ts';
import { endless } from '../http/metrics.ts';
import { sendRefusal } from '../http/refusals.ts';
import { applyBatch, parseOperation } from './batch.ts';
import { noteReport } from '../modules/devices/report.ts';
import { readChanges } from '../modules/feed/service.ts';
import { listenForPokes, publishChange } from '../events/pokes.ts';
import { clinicFacts } from './store.ts';
import type { Outcome } from './outcome.ts';

const heartbeatMs = 15_000;

const changesQuery = z.object({
  cursor: textSchema(4000).optional(),
  waiting: z.coerce.number().int().min(0).max(1_000_000).optional(),
});

export const syncRoutes: Routes = (ports) => async (api) => {
  const pool = ports.database.$client;
  const pokes = listenForPokes(pool);
  const streams = new Set<ServerResponse>();
  // Before the server waits for its connections to end: these would never do so by themselves.
  api.addHook('preClose', async () => {
    const closed = pokes.close();
    for (const stream of streams) stream.end();
    await closed;
  });

  api.post(
    '/sync/batch',
    // Each operation in it is its own key.
    { config: { ...requires('sync.use'), ...unkeyed }, bodyLimit: maxBatchBytes + 1024, schema: { body: batchSchema } },
    async (request, reply) => {
      const { clinicId, userId } = request.session;
      const receivedAtMs = ports.clock();
      const { epoch, timeZone, discountLimitPercent } = await clinicFacts(pool, clinicId);
      const incoming = request.body.operations.map((raw) => parseOperation(raw, receivedAtMs));
      const outcomes = await applyBatch(
        pool,
        { clinicId, uploadedBy: userId, receivedAtMs, timeZone, discountLimitPercent },
        incoming,
        (error, opId) => request.log.error({ err: error, opId }, 'operation failed'),
      );
      for (const [index, { status, replayed }] of outcomes.entries()) {
        api.metrics.countOperation(incoming[index]!.operation.kind, replayed ? 'replayed' : status);
      }
      if (outcomes.some(({ status, replayed }) => status === 'applied' && !replayed)) publishChange(pool, clinicId);
      return reply.type('application/json; charset=utf-8').send(batchReply(epoch, ports.clock(), outcomes));
    },
  );

  api.get(
    '/sync/changes',
    { config: requires('sync.use'), schema: { querystring: changesQuery } },
    async (request, reply) => {
      const { clinicId, deviceId, role } = request.session;
      const { waiting } = request.query;
      const isNews =
        waiting !== undefined &&
        deviceId !== null &&
        (await noteReport(pool, { clinicId, deviceId, waiting, atMs: ports.clock() }));
      if (isNews) publishChange(pool, clinicId);
      const reader = {
        clinicId,
        deviceId,
        seesAttention: may(role, 'attention.read'),
        seesPatients: may(role, 'patient.read'),
        nowMs: ports.clock(),
      };
      const page = await readChanges(pool, reader, request.query.cursor);
      return page ? { success: true, data: page } : sendRefusal(reply, { code: 'CURSOR_GONE' });
    },
  );

  api.get('/sync/events', { config: { ...requires('sync.use'), ...endless } }, (request, reply) => {
    reply.hijack();
    const { raw } = reply;
    // Headers that hooks have set are lost with the hijack unless they are handed on.
    raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
    });
    raw.write(': connected\n\n');
    const unsubscribe = pokes.subscribe(request.session.clinicId, () => raw.write('event: change\ndata: {}\n\n'));
    const heartbeat = setInterval(() => raw.write(': still here\n\n'), heartbeatMs);
    streams.add(raw);
    api.metrics.eventStreams = streams.size;
    raw.on('close', () => {
      clearInterval(heartbeat);
      unsubscribe();
      streams.delete(raw);
      api.metrics.eventStreams = streams.size;
    });
  });
};

/** Written by hand so that each stored reply goes out as the very text that was stored. */
function batchReply(epoch: string, nowMs: number, outcomes: readonly Outcome[]): string {
  const results = outcomes.map(
    ({ op_id, status, replayed, reply }) =>
      `{"op_id":"${op_id}","status":"${status}","replayed":${replayed},"reply":${reply}}`,
  );
  const head = `"epoch":${JSON.stringify(epoch)},"server_time":${JSON.stringify(isoOf(nowMs))}`;
  return `{"success":true,"data":{${head},"results":[${results.join()}]}}`;
}
