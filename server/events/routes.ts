import type { ServerResponse } from 'node:http';
import { requires } from '../http/access.ts';
import { endless } from '../http/metrics.ts';
import type { Routes } from '../ports.ts';
import { listenForPokes } from './pokes.ts';

const heartbeatMs = 15_000;

/** The event stream on which tablets wait for pokes. */
export const eventRoutes: Routes =
  ({ database }) =>
  async (api) => {
    const pokes = listenForPokes(database.$client);
    const streams = new Set<ServerResponse>();
    // Streams never end by themselves, so they are ended before the server waits for its connections.
    api.addHook('preClose', async () => {
      const closed = pokes.close();
      for (const stream of streams) stream.end();
      await closed;
    });

    api.get('/sync/events', { config: { ...requires('sync.use'), ...endless } }, (request, reply) => {
      reply.hijack();
      const { raw } = reply;
      // A hijacked reply loses the headers that hooks have set unless they are passed on.
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
