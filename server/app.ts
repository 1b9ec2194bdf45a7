import compress from '@fastify/compress';
import swagger from '@fastify/swagger';
import Fastify, { LogController } from 'fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';
import { jsonSchemaTransform, serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import type { ServerOptions } from 'node:https';
import type { Deps } from './deps.ts';
import { guard, isPublic } from './http/access.ts';
import { handleError } from './http/errors.ts';
import { registerHeaders } from './http/headers.ts';
import { takeKeys } from './http/idempotency.ts';
import { registerMetrics } from './http/metrics.ts';
import { refuseDeepBodies } from './http/nesting.ts';
import { sendRefusal } from './http/refusals.ts';
import { registerRequestId, requestIdHeader, requestIdOf } from './http/request-id.ts';
import { answerBroken, timeouts, usualPatience } from './http/slow-clients.ts';
import type { Patience } from './http/slow-clients.ts';
import { registerStaticApp } from './http/static-app.ts';
import { alertRoutes } from './modules/alerts/routes.ts';
import { attentionRoutes } from './modules/attention/routes.ts';
import { auditRoutes } from './modules/audit/routes.ts';
import { clinicRoutes } from './modules/clinics/routes.ts';
import { drawerRoutes } from './modules/drawers/routes.ts';
import { deviceRoutes } from './modules/devices/routes.ts';
import { expenseRoutes } from './modules/expenses/routes.ts';
import { exportRoutes } from './modules/exports/routes.ts';
import { metricsRoutes } from './modules/health/metrics-routes.ts';
import { healthRoutes, version } from './modules/health/routes.ts';
import { ledgerRoutes } from './modules/ledger/routes.ts';
import { notificationRoutes } from './modules/notifications/routes.ts';
import { orderRoutes } from './modules/orders/routes.ts';
import { patientRoutes } from './modules/patients/routes.ts';
import { preparationRoutes } from './modules/preparation/routes.ts';
import { purchasingRoutes } from './modules/purchasing/routes.ts';
import { reportRoutes } from './modules/reports/routes.ts';
import { roomRoutes } from './modules/rooms/routes.ts';
import { stockRoutes } from './modules/stock/routes.ts';
import { syncRoutes } from './modules/sync/routes.ts';
import { pictureRoutes, uploadRoutes } from './modules/uploads/routes.ts';
import { userRoutes } from './modules/users/routes.ts';
import { staffRoutes } from './modules/users/staff-routes.ts';
import { registerShutdown } from './shutdown.ts';

const modules = [
  healthRoutes,
  metricsRoutes,
  userRoutes,
  staffRoutes,
  deviceRoutes,
  clinicRoutes,
  stockRoutes,
  ledgerRoutes,
  alertRoutes,
  attentionRoutes,
  orderRoutes,
  patientRoutes,
  preparationRoutes,
  drawerRoutes,
  purchasingRoutes,
  expenseRoutes,
  exportRoutes,
  uploadRoutes,
  roomRoutes,
  reportRoutes,
  notificationRoutes,
  auditRoutes,
  syncRoutes,
];

export interface AppOptions extends Deps {
  logger?: FastifyServerOptions['logger'];
  tls?: Pick<ServerOptions, 'cert' | 'key'> | null;
  /** The folder of the built app; null serves the API alone. */
  appFolder?: string | null;
  patience?: Patience;
}

/** The whole server but for the process around it: the API under `/api`, the app everywhere else. */
export async function buildApp({
  logger = false,
  tls = null,
  appFolder = null,
  patience = usualPatience,
  ...deps
}: AppOptions): Promise<FastifyInstance> {
  const app = Fastify({
    logger,
    // One line per request, written below: the default ones carry query strings, in which a name may stand.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: ({ headers }) => requestIdOf(headers),
    trustProxy: deps.config.trustedProxies,
    // What arrives on a kept connection while the listener closes is answered like the rest.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) =>
      void handleError(error, request, reply.header(requestIdHeader, request.id)),
    clientErrorHandler: answerBroken,
    requestTimeout: patience.requestMs,
    ...(tls ? { https: { ...tls, ...timeouts(patience) } } : { http: timeouts(patience) }),
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
  registerRequestId(app);
  registerMetrics(app);
  registerShutdown(app);
  await registerHeaders(app, { isTls: tls !== null });
  await app.register(compress, { encodings: ['br', 'gzip'], customTypes: /^application\/json/, threshold: 1024 });
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Dental Counter', version },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    },
    transform: jsonSchemaTransform,
  });
  await app.register(async (api) => registerApi(api, deps), { prefix: '/api' });
  await app.register(async (files) => registerPictures(files, deps), { prefix: '/uploads' });
  if (appFolder) await registerStaticApp(app, appFolder);
  else app.setNotFoundHandler(notFound);
  return app;
}

function notFound(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendRefusal(reply, { code: 'NOT_FOUND' });
}

async function registerApi(api: FastifyInstance, deps: Deps): Promise<void> {
  api.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'));
  guard(api, deps);
  takeKeys(api);
  refuseDeepBodies(api);
  api.setNotFoundHandler(notFound);
  for (const routes of modules) await api.register(routes(deps));
  api.get('/openapi.json', { config: isPublic, schema: { hide: true } }, () => api.swagger());
}

/** What an `<img>` shows, outside the API; its routes declare who may ask like those of the API, and nothing there is a screen. */
async function registerPictures(files: FastifyInstance, deps: Deps): Promise<void> {
  guard(files, deps);
  files.setNotFoundHandler(notFound);
  await files.register(pictureRoutes(deps));
}
