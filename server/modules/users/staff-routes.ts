import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { decisionBodySchema, idParamSchema, textSchema } from '#domain/wire/schemas.ts';
import { blankStaff, staffProblems } from '#domain/staff/decisions.ts';
import { roles, userStatuses } from '#domain/staff/roles.ts';
import { withinClinic } from '#server/db/database.ts';
import type { Api, RoutePorts, Routes } from '#server/ports.ts';
import { requires } from '#server/http/access.ts';
import { changeBody, changesIn } from '#server/http/change-body.ts';
import { changeForm, newForm } from '#server/http/form-rules.ts';
import { pageNumber, pageSize } from '#server/http/paging.ts';
import { keyedHash } from '#server/http/idempotency.ts';
import { sendRefusal } from '#server/http/refusals.ts';
import { deskWrites } from '#server/operations/rest-writes.ts';
import type { WriteCall } from '#server/operations/rest-writes.ts';
import { OwnPassword } from './own-password.ts';
import { changeOwnPassword, changeOwnProfile, removeStaff, saveStaff } from './staff-service.ts';
import { listStaff, lockMember, memberResource, staffSorts } from './staff-store.ts';

const sortNames = Object.keys(staffSorts) as [keyof typeof staffSorts, ...(keyof typeof staffSorts)[]];

const listQuery = z.strictObject({
  page: pageNumber,
  size: pageSize(),
  search: textSchema(200).optional(),
  sort: z.enum(sortNames).default('name'),
  order: z.enum(['asc', 'desc']).default('asc'),
});

// The domain validates the values; these limits only bound what is read.
const staffBody = z.strictObject({
  name: textSchema(1000).optional(),
  email: textSchema(1000).optional(),
  phone: textSchema(1000)
    .nullish()
    .transform((phone) => phone ?? undefined),
  password: textSchema(1000).optional(),
  role: z.enum(roles).optional(),
  status: z.enum(userStatuses).optional(),
});
const idParams = z.strictObject({ id: idParamSchema });

const writes = requires('staff.write');
const changesStaff = changeForm(blankStaff, (draft) => staffProblems(draft, { isNew: false }));

/** Returns the body as the receipt stores it: the password is sealed. */
const known = <Body extends { password?: string | undefined }>({ secret }: RoutePorts, body: Body) => ({
  ...body,
  ...(body.password && { password: keyedHash(secret, body.password) }),
});

/** Reads a person for a change, and locks them: two locks lead to a person, their own and that of the staff. */
const memberOf =
  (id: number): NonNullable<WriteCall['record']> =>
  async (sql, clinicId) =>
    (await lockMember(sql, clinicId, id)) && memberResource(sql, clinicId, id);

function memberRoutes(api: Api, ports: RoutePorts): void {
  api.get(
    '/users',
    { config: requires('staff.read'), schema: { querystring: listQuery } },
    async ({ session, query }) => ({
      success: true,
      ...(await listStaff(withinClinic(ports.database, session.clinicId), session.clinicId, query)),
    }),
  );

  const write = deskWrites(ports, 'staff');
  /** Hashes outside the transaction, so that no lock is held meanwhile. */
  const hashOf = async (password = '') => (password === '' ? null : ports.passwords.hash(password));

  api.post(
    '/users',
    {
      config: { ...writes, ...newForm(blankStaff, (draft) => staffProblems(draft, { isNew: true })) },
      schema: { body: staffBody },
    },
    async (request, reply) => {
      const { body } = request;
      const hash = await hashOf(body.password);
      return write(request, reply, { kind: 'staff.create', status: 201, body: known(ports, body) }, (context) =>
        saveStaff(context, body, hash, null),
      );
    },
  );

  api.put(
    '/users/:id',
    { config: { ...writes, ...changesStaff }, schema: { params: idParams, body: changeBody(staffBody) } },
    async (request, reply) => {
      const {
        params: { id },
        body,
      } = request;
      const hash = await hashOf(body.password);
      return write(
        request,
        reply,
        { kind: 'staff.change', body: known(ports, body), record: memberOf(id) },
        (context) => saveStaff(context, changesIn(body), hash, id),
      );
    },
  );

  api.delete(
    '/users/:id',
    { config: writes, schema: { params: idParams, body: decisionBodySchema } },
    (request, reply) => {
      const { id } = request.params;
      return write(request, reply, { kind: 'staff.remove', record: memberOf(id) }, (context) =>
        removeStaff(context, id),
      );
    },
  );
}

/** What people change of themselves. */
function ownRoutes(api: Api, ports: RoutePorts): void {
  const write = deskWrites(ports, 'staff');
  const self = requires('session.use');
  const ownPassword = new OwnPassword(ports);
  /** Separate lock keys answer two users separately when they send the same idempotency key. */
  const ownAggregate = ({ session }: FastifyRequest) => `profile:${session.userId}`;

  const ownProfile = changeBody(z.strictObject({ name: textSchema(1000), phone: textSchema(1000) }).partial());
  api.put('/auth/me', { config: { ...self, ...changesStaff }, schema: { body: ownProfile } }, (request, reply) =>
    write(
      request,
      reply,
      { kind: 'profile.change', aggregate: ownAggregate(request), record: memberOf(request.session.userId) },
      (context) => changeOwnProfile(context, changesIn(request.body)),
    ),
  );

  const passwords = z.strictObject({ current_password: textSchema(1000), password: textSchema(1000) });
  api.post('/auth/password', { config: self, schema: { body: passwords } }, async (request, reply) => {
    const { session, body } = request;
    // Runs outside the transaction because hashing is slow. A repeated request is checked twice and applied once.
    const isOwn = await ownPassword.attempt(session, body.current_password);
    if (isOwn === 'throttled') return sendRefusal(reply, { code: 'TOO_MANY_REQUESTS' });
    const hash = isOwn ? await ports.passwords.hash(body.password) : null;
    const stored = { ...known(ports, body), current_password: keyedHash(ports.secret, body.current_password) };
    return write(
      request,
      reply,
      { kind: 'profile.password', aggregate: ownAggregate(request), body: stored },
      (context) => changeOwnPassword(context, body.password, hash),
    );
  });
}

export const staffRoutes: Routes = (ports) => async (api) => {
  memberRoutes(api, ports);
  ownRoutes(api, ports);
};
