import type { ServerResponse } from 'node:http';
import { requires } from '../http/access.ts';
import { endless } from '../http/metrics.ts';
import { sendRefusal } from '../http/refusals.ts';
import { startIntervalJob } from '../interval-job.ts';
import { acrossClinics } from '../db/database.ts';
import type { Routes } from '../ports.ts';
import { listenTo } from './listener.ts';
import { changeChannel, Pokes, readChange } from './pokes.ts';
import { endedAmong } from './store.ts';
import { OpenStreams } from './streams.ts';
import type { EventStream } from './streams.ts';

/** A trigger of the table `sessions` sends to this channel. */
const sessionEndChannel = 'session_ends';
const heartbeatMs = 15_000;
/** Messages about ended sessions may be lost while this process has no connection. */
const lookForEndedMs = 60_000;
/** The browsers of a refused stream poll meanwhile. */
const retryAfterSeconds = 60;
/** Node.js runs a longer timer at once. */
const longestTimerMs = 2 ** 31 - 1;
/** Some thousand events. A reader that leaves so much unread is not one. */
const mostUnreadBytes = 65_536;

/** The event stream on which tablets wait for pokes. */
export const eventRoutes: Routes =
  ({ database, clock }) =>
  async (api) => {
    const pokes = new Pokes();
    const streams = new OpenStreams();
    const endLeftOver = async (): Promise<void> => {
      for (const session of await endedAmong(acrossClinics(database), streams.list())) streams.endSession(session);
    };
    const listener = listenTo(
      acrossClinics(database),
      {
        [changeChannel]: (change) => pokes.announce(readChange(change)),
        [sessionEndChannel]: (session) => streams.endNamed(session),
      },
      () => {
        pokes.announceAll();
        endLeftOver().catch(() => undefined);
      },
    );
    // Without its database the process looks again a minute later.
    const look = startIntervalJob(endLeftOver, {
      everyMs: lookForEndedMs,
      firstAfterMs: lookForEndedMs,
      onFault: () => undefined,
    });
    // Streams never end by themselves, so they are ended before the server waits for its connections.
    api.addHook('preClose', async () => {
      pokes.clear();
      const closed = Promise.all([listener.close(), look.stop()]);
      streams.endAll();
      await closed;
    });

    api.get('/sync/events', { config: { ...requires('sync.use'), ...endless } }, (request, reply) => {
      const { clinicId, userId, deviceId, jti, expiresAtMs } = request.session;
      if (!streams.hasRoomFor({ clinicId, userId, jti }))
        return sendRefusal(reply.header('retry-after', retryAfterSeconds), { code: 'TOO_MANY_REQUESTS' });
      reply.hijack();
      const { raw } = reply;
      // A hijacked reply loses the headers that hooks have set unless they are passed on.
      raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        // A proxy such as nginx would otherwise hold events back until it has four kilobytes of them.
        'x-accel-buffering': 'no',
      });
      raw.write(': connected\n\n');
      const end = (): void => {
        leave();
        raw.end();
      };
      const stream: EventStream = { clinicId, userId, jti, end };
      streams.add(stream);
      api.metrics.eventStreams = streams.size;
      const unsubscribe = pokes.subscribe(clinicId, () => tell(raw, 'event: change\ndata: {}'), deviceId);
      const heartbeat = setInterval(() => tell(raw, ': still here'), heartbeatMs);
      const expiry = setTimeout(end, Math.min(longestTimerMs, expiresAtMs - clock()));
      function leave(): void {
        clearInterval(heartbeat);
        clearTimeout(expiry);
        unsubscribe();
        streams.remove(stream);
        api.metrics.eventStreams = streams.size;
      }
      raw.on('close', leave);
      return reply;
    });
  };

function tell(raw: ServerResponse, event: string): void {
  if (raw.writableLength > mostUnreadBytes) raw.destroy();
  else raw.write(`${event}\n\n`);
}
