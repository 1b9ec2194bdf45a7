import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

/** The hash of the empty string: Emotion adds empty style elements to the page and fills them by script. */
const emptyStyle = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

/** What a browser could do for a page. A script that got in can ask for no more than the app itself. */
const unused = [
  'accelerometer',
  'autoplay',
  'bluetooth',
  'camera',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'serial',
  'usb',
  'xr-spatial-tracking',
];
/** The board keeps its screen on; a purchase order is copied as text; passkeys unlock. */
const used = ['clipboard-write', 'publickey-credentials-create', 'publickey-credentials-get', 'screen-wake-lock'];
const permissionsPolicy = [...unused.map((name) => `${name}=()`), ...used.map((name) => `${name}=(self)`)].join(', ');

export async function registerHeaders(app: FastifyInstance, { isTls }: { isTls: boolean }): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", emptyStyle],
        imgSrc: ["'self'", 'data:', 'blob:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: isTls,
    xFrameOptions: { action: 'deny' },
  });
  app.addHook('onRequest', async (_request, reply) => void reply.header('permissions-policy', permissionsPolicy));
}

/** The id of a request stands in the reply and in each log line. */
export const requestIdHeader = 'x-request-id';

/** Returns the id from a proxy if it is short and safe to log, otherwise a new one. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const given = headers[requestIdHeader];
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
}

export function registerRequestId(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => void reply.header(requestIdHeader, request.id));
}
