/**
 * Who may call what. Every route of the API declares the action that it needs, or that it is public; one that declares
 * nothing stops the server from starting. The bearer header is the only thing that carries a session: a cookie never
 * does, so there is nothing for a forged request to ride on.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { may } from '../../domain/permissions.ts';
import type { Action } from '../../domain/permissions.ts';
import { epochHeader } from '../../domain/protocol/sync.ts';
import type { Deps } from '../deps.ts';
import { recordAudit } from '../modules/audit/service.ts';
import { readSession } from '../modules/users/service.ts';
import type { Session } from '../modules/users/service.ts';
import { sendRefusal } from './refusals.ts';

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

/** The declaration of a route that needs a permission: `{ config: requires('order.read') }`. */
export const requires = (action: Action): { action: Action } => ({ action });
/** The declaration of a route that anyone may call. */
export const isPublic = { public: true } as const;

/** Guards the routes that are registered on `api` afterwards. */
export function guard(api: FastifyInstance, deps: Deps): void {
  api.decorateRequest('session');
  api.addHook('onRoute', (route) => {
    const { action, public: isOpen } = route.config ?? {};
    if (!isOpen === !action)
      throw new Error(`${String(route.method)} ${route.url} must declare either an action or that it is public`);
    // OpenAPI tells the reader the same.
    route.schema = { ...route.schema, security: action ? [{ bearer: [action] }] : [] };
  });
  api.addHook('onRequest', async (request, reply) => {
    if (request.is404 || request.routeOptions.config.public) return;
    return authorise(deps, request, reply);
  });
}

async function authorise(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
  const token = /^Bearer ([\w.-]+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const session = token ? await readSession(deps, token) : null;
  if (!session) return sendRefusal(reply, { code: 'SESSION_EXPIRED' });
  request.session = session;
  reply.header(epochHeader, session.epoch);
  const { config, url } = request.routeOptions;
  if (config.action && may(session.role, config.action)) return undefined;
  await recordAudit(deps.database, session, {
    action: 'denied',
    subject: `${request.method} ${url}`,
    at: deps.clock(),
  });
  return sendRefusal(reply, { code: 'FORBIDDEN' });
}
