import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import path from 'node:path';
import { sendRefusal } from './refusals.ts';

const immutable = 'public, max-age=31536000, immutable';

/**
 * Serves the built app from `folder`, in the compressed form that the build stores beside each file. Names in `assets/`
 * carry a hash of their content and are cached for ever; all other files are revalidated. Any other address is a
 * screen, which the app routes.
 */
export async function registerStaticApp(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    // One route per file leaves every other address to the handler below, or to the handler of the API.
    wildcard: false,
    globIgnore: ['**/*.br', '**/*.gz'],
    preCompressed: true,
    cacheControl: false,
    dotfiles: 'ignore',
    setHeaders: (reply, file) => {
      const isHashed = path.relative(folder, file).startsWith(`assets${path.sep}`);
      void reply.header('cache-control', isHashed ? immutable : 'no-cache').header('vary', 'accept-encoding');
    },
  });
  app.setNotFoundHandler((request, reply) => {
    const address = request.url.split('?', 1)[0]!;
    const isScreen = (request.method === 'GET' || request.method === 'HEAD') && path.extname(address) === '';
    return isScreen ? reply.sendFile('index.html') : sendRefusal(reply, { code: 'NOT_FOUND' });
  });
}
