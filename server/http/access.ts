/**
 * Access control. Every route of the API declares the action that it needs, or that it is public; a route that declares
 * neither stops the server from starting. Only the bearer header carries a session: a cookie never does, so a forged
 * request from another site has no session.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { may } from '#domain/permissions.ts';
import type { Action } from '#domain/permissions.ts';
import { epochHeader, idempotencyHeader } from '#domain/protocol/sync.ts';
import type { Session } from '../context.ts';
import type { Budgets } from './budgets.ts';
import { sendRefusal, sendWait } from './refusals.ts';
import { takeTurns } from './turns.ts';
import type { RequestTurns } from './turns.ts';
import { goOnWith } from './watchdog.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    action?: Action;
    public?: true;
  }
  interface FastifyRequest {
    /** Set on every route that is not public. */
    session: Session;
  }
}

/** Declares that a route needs a permission: `{ config: requires('order.read') }`. */
export const requires = (action: Action): { action: Action } => ({ action });
/** Declares that anyone may call a route. */
export const isPublic = { public: true } as const;

/** The largest body of a route that anyone may call. */
const maxPublicBytes = 8 * 1024;

/** The functions that the guard needs from the modules of sessions and the audit log. */
export interface GuardPorts {
  /** Returns the clinic of a bearer token by its signature alone; null when it is expired or not ours. */
  clinicOf(token: string): Promise<number | null>;
  /** Returns the session that a bearer token names; null when it is expired, ended or not ours. */
  readSession(token: string): Promise<Session | null>;
  /** Records that a role may not call a route, given as `GET /api/orders`. */
  recordDenial(session: Session, route: string): Promise<void>;
  budgets: Budgets;
  turns: RequestTurns;
}

/** Guards the routes that are registered on `api` afterwards, and shares them fairly among clinics. */
export function guard(api: FastifyInstance, ports: GuardPorts): void {
  api.decorateRequest('session');
  takeTurns(api, ports.turns);
  api.addHook('onRoute', (route) => {
    const { action, public: isOpen } = route.config ?? {};
    if (!isOpen === !action)
      throw new Error(`${String(route.method)} ${route.url} must declare either an action or that it is public`);
    // Nobody has signed in yet, and a sign-in is short.
    if (isOpen) route.bodyLimit = Math.min(route.bodyLimit ?? maxPublicBytes, maxPublicBytes);
    // OpenAPI documents the same requirement.
    route.schema = { ...route.schema, security: action ? [{ bearer: [action] }] : [] };
  });
  api.addHook('onRequest', async (request, reply) => {
    // Before the body is read.
    if (request.is404) return sendRefusal(reply, { code: 'NOT_FOUND' });
    if (request.routeOptions.config.public) return undefined;
    return authorise(ports, request, reply);
  });
  chargeRefusedWrites(api, ports);
}

/** A keyed write that is refused leaves a receipt. */
function chargeRefusedWrites(api: FastifyInstance, { budgets }: GuardPorts): void {
  const isKeyed = ({ headers, session }: FastifyRequest) => session && headers[idempotencyHeader] !== undefined;
  api.addHook('preHandler', async (request, reply) => {
    const wait = isKeyed(request) ? budgets.beforeRefusals(request.session) : 0;
    return wait > 0 ? sendWait(reply, wait) : undefined;
  });
  api.addHook('onResponse', async ({ session, leavesRefusal, body }) => {
    if (leavesRefusal) budgets.refused(session, [body]);
  });
}

/** A token that lies on the tablet for the service worker reaches nothing else. */
const syncActions: readonly Action[] = ['sync.use', 'device.enrol'];

const reaches = ({ role, scope }: Session, action: Action): boolean =>
  may(role, action) && (scope !== 'sync' || syncActions.includes(action));

async function authorise(
  ports: GuardPorts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const token = /^Bearer ([\w.-]+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const clinicId = token ? await ports.clinicOf(token) : null;
  goOnWith(request);
  if (!token || clinicId === null) return sendRefusal(reply, { code: 'SESSION_EXPIRED' });
  const { budgets, turns } = ports;
  const asked = { what: `${request.method} ${request.url}`, via: String(request.raw.socket.remotePort) };
  const waitAtDoor = budgets.waitOf(token, asked);
  if (waitAtDoor > 0) return sendWait(reply, waitAtDoor);
  const leave = await turns.enterDoor(clinicId, request);
  goOnWith(request);
  if (!leave) return sendRefusal(reply, { code: 'TOO_MANY_REQUESTS' });
  const session = await ports.readSession(token).finally(leave);
  if (!session) return sendRefusal(reply, { code: 'SESSION_EXPIRED' });
  request.session = session;
  reply.header(epochHeader, session.epoch);
  const wait = budgets.request(session, token, asked);
  if (wait > 0) return sendWait(reply, wait);
  const { config, url } = request.routeOptions;
  if (config.action && reaches(session, config.action)) return undefined;
  const waitToBeDenied = budgets.beforeRefusals(session);
  if (waitToBeDenied > 0) return sendWait(reply, waitToBeDenied);
  budgets.refused(session, [undefined]);
  await ports.recordDenial(session, `${request.method} ${url}`);
  return sendRefusal(reply, { code: 'FORBIDDEN' });
}
