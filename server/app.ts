import compress from '@fastify/compress';
import swagger from '@fastify/swagger';
import Fastify, { LogController } from 'fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';
import { jsonSchemaTransform, serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import type { ServerOptions } from 'node:https';
import { guard } from './http/access.ts';
import { shareAmongEverybody } from './http/everybody.ts';
import { Budgets } from './http/budgets.ts';
import type { GuardPorts } from './http/access.ts';
import { handleError } from './http/errors.ts';
import { registerHeaders, registerRequestId, requestIdHeader, requestIdOf } from './http/headers.ts';
import { refuseForwarded, registerHosts } from './http/hosts.ts';
import { acceptKeys } from './http/idempotency.ts';
import { checkBodyKeys, dropEmptyParameters } from './http/bodies.ts';
import { registerMetrics } from './http/metrics.ts';
import { readLeftovers } from './http/leftover-bodies.ts';
import { refuseDeepBodies } from './http/nesting.ts';
import { sendRefusal } from './http/refusals.ts';
import { paceRefusals } from './http/refused-strangers.ts';
import { describeApi } from './http/openapi.ts';
import { boundReplies } from './http/replies.ts';
import { dropConnectionHeader, secureOptions, takeInTurn } from './http/secure.ts';
import { RequestTurns } from './http/turns.ts';
import { defaultTimeouts, endSlowBodies, replyToBrokenRequest, timeouts } from './http/slow-clients.ts';
import type { Patience } from './http/slow-clients.ts';
import { registerStaticApp } from './http/static-app.ts';
import { registerWatchdog } from './http/watchdog.ts';
import { recordAudit } from './modules/audit/service.ts';
import { pullFrom } from './modules/feed/service.ts';
import { version } from './version.ts';
import { pictureRoutes } from './modules/uploads/routes.ts';
import { inQueue } from './modules/users/hashing-queue.ts';
import { clinicOf, readSession } from './modules/users/service.ts';
import { operationModules, routeModules } from './modules.ts';
import { OperationRegistry } from './operations/registry.ts';
import { withinClinic } from './db/database.ts';
import type { Ports, RoutePorts } from './ports.ts';
import { registerShutdown } from './shutdown.ts';

export interface AppOptions extends Ports {
  logger?: FastifyServerOptions['logger'];
  tls?: Pick<ServerOptions, 'cert' | 'key'> | null;
  /** The folder of the built app; null serves the API alone. */
  appFolder?: string | null;
  patience?: Patience;
}

/** Builds the server without its process: the API under `/api`, the app everywhere else. */
export async function buildApp({
  logger = false,
  tls = null,
  appFolder = null,
  patience = defaultTimeouts,
  ...given
}: AppOptions): Promise<FastifyInstance> {
  const passwords = inQueue(given.passwords);
  const operations = new OperationRegistry(operationModules);
  const budgets = new Budgets(given.clock, given.config.requestLimits);
  const turns = new RequestTurns();
  const ports = { ...given, passwords, operations, budgets, pull: pullFrom(given) };
  const app = Fastify({
    logger,
    // The hook below logs requests. The default log lines contain query strings, which may contain a name.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: ({ headers }) => requestIdOf(headers),
    trustProxy: ports.config.trustedProxies,
    // Requests that arrive on open connections while the listener closes are served.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) =>
      void handleError(error, request, reply.header(requestIdHeader, request.id)),
    clientErrorHandler: replyToBrokenRequest,
    requestTimeout: patience.requestMs,
    ...(tls ? secureOptions(tls, timeouts(patience)) : { http: timeouts(patience) }),
  }) as FastifyInstance;
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(handleError);
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions, log } = request;
    log.info(
      { method, route: routeOptions.url, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'request',
    );
  });
  endSlowBodies(app, patience);
  readLeftovers(app, patience);
  boundReplies(app, patience);
  refuseUnknownWrites(app);
  registerRequestId(app);
  registerMetrics(app);
  registerWatchdog(app);
  registerShutdown(app);
  paceRefusals(app);
  if (tls) dropConnectionHeader(app);
  else takeInTurn(app.server);
  await registerHeaders(app, { isTls: tls !== null });
  registerHosts(app, ports.config.allowedHosts);
  if (ports.config.demo) refuseForwarded(app);
  shareAmongEverybody(app, turns);
  await app.register(compress, { encodings: ['br', 'gzip'], customTypes: /^application\/json/, threshold: 1024 });
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Dental Counter', version },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    },
    transform: jsonSchemaTransform,
  });
  await app.register(async (api) => registerApi(api, ports, turns), { prefix: '/api' });
  await app.register(async (files) => registerPictures(files, ports, turns), { prefix: '/uploads' });
  if (appFolder) await registerStaticApp(app, appFolder);
  else app.setNotFoundHandler(notFound);
  return app;
}

/** Outside the API nothing is written, and the body of an unknown address would be parsed before anybody has signed in. */
function refuseUnknownWrites(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) =>
    request.is404 && !['GET', 'HEAD'].includes(request.method) ? notFound(request, reply) : undefined,
  );
}

function notFound(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendRefusal(reply, { code: 'NOT_FOUND' });
}

async function registerApi(api: FastifyInstance, ports: RoutePorts, turns: RequestTurns): Promise<void> {
  api.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'));
  guard(api, guardPorts(ports, turns));
  acceptKeys(api);
  refuseDeepBodies(api);
  checkBodyKeys(api);
  dropEmptyParameters(api);
  api.setNotFoundHandler(notFound);
  for (const routes of routeModules) await api.register(routes(ports));
  describeApi(api);
}

const guardPorts = (ports: RoutePorts, turns: RequestTurns): GuardPorts => ({
  turns,
  budgets: ports.budgets,
  clinicOf: (token) => clinicOf(ports, token),
  readSession: (token) => readSession(ports, token),
  recordDenial: (session, route) =>
    recordAudit(withinClinic(ports.database, session.clinicId), session, {
      action: 'denied',
      subject: route,
      at: ports.clock(),
    }),
});

/** Serves pictures for `<img>` outside the API. The routes declare their access like those of the API. */
async function registerPictures(files: FastifyInstance, ports: RoutePorts, turns: RequestTurns): Promise<void> {
  guard(files, guardPorts(ports, turns));
  files.setNotFoundHandler(notFound);
  await files.register(pictureRoutes(ports));
}
