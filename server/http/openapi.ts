/** The description of the API. Anybody may ask for it as often as they like, so it is made and compressed once. */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { isPublic } from './access.ts';

/** A description in each form that is sent; `identity` is the plain one. */
type Forms = Record<'br' | 'gzip' | 'identity', Buffer>;

const brotliQuality = 9;

async function formsOf(text: string): Promise<Forms> {
  const identity = Buffer.from(text);
  const params = { [constants.BROTLI_PARAM_QUALITY]: brotliQuality };
  const [br, gzipped] = await Promise.all([promisify(brotliCompress)(identity, { params }), promisify(gzip)(identity)]);
  return { br, gzip: gzipped, identity };
}

/** Adds `GET /openapi.json`, which describes the routes that are registered on `api`. */
export function describeApi(api: FastifyInstance): void {
  let made: Promise<Forms> | undefined;
  api.get('/openapi.json', { config: isPublic, schema: { hide: true } }, async (request, reply) => {
    made ??= formsOf(JSON.stringify(api.swagger()));
    const forms = await made;
    const encoding = (['br', 'gzip'] as const).find((name) => accepts(request.headers['accept-encoding'], name));
    // It keeps the reply from being compressed on the way out.
    if (encoding) reply.header('content-encoding', encoding);
    return reply
      .header('vary', 'accept-encoding')
      .type('application/json; charset=utf-8')
      .send(forms[encoding ?? 'identity']);
  });
}

/** Returns whether a client takes an encoding, by the header in which it lists them. */
function accepts(listed: string | undefined, encoding: string): boolean {
  return (listed ?? '').split(',').some((one) => {
    const [name = '', weight = ''] = one.split(';').map((part) => part.trim());
    return name === encoding && Number(weight.replace('q=', '') || 1) > 0;
  });
}
