import { z } from 'zod';
import { idParamSchema, textSchema } from '../../../domain/protocol/schemas.ts';
import { roles, userStatuses } from '../../../domain/staff/roles.ts';
import type { Routes } from '../../deps.ts';
import { requires } from '../../http/access.ts';
import { sendRefusal } from '../../http/refusals.ts';
import { changeOwnPassword, changeOwnProfile } from './profile.ts';
import { listStaff, removeStaff, saveStaff, staffSorts } from './staff.ts';

const sortNames = Object.keys(staffSorts) as [keyof typeof staffSorts, ...(keyof typeof staffSorts)[]];

const listQuery = z.object({
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  size: z.coerce.number().int().min(1).max(200).default(10),
  search: textSchema(200).optional(),
  sort: z.enum(sortNames).default('name'),
  order: z.enum(['asc', 'desc']).default('asc'),
});

// How long and of what form each may be is a rule of the domain; these are only bounds on what is read at all.
const staffBody = z.object({
  name: textSchema(1000).optional(),
  email: textSchema(1000).optional(),
  phone: textSchema(1000).nullish().transform((phone) => phone ?? undefined),
  password: textSchema(1000).optional(),
  role: z.enum(roles).optional(),
  status: z.enum(userStatuses).optional(),
});
const idParams = z.object({ id: idParamSchema });

export const staffRoutes: Routes = (deps) => async (api) => {
  api.get('/users', { config: requires('staff.read'), schema: { querystring: listQuery } }, async ({ session, query }) => ({
    success: true,
    ...(await listStaff(deps.database.$client, session.clinicId, query)),
  }));

  api.post('/users', { config: requires('staff.write'), schema: { body: staffBody } }, async ({ session, body }, reply) => {
    const saved = await saveStaff(deps, session, body, null);
    return saved.ok ? reply.status(201).send({ success: true, data: saved.value }) : sendRefusal(reply, saved.refusal);
  });

  api.put('/users/:id', { config: requires('staff.write'), schema: { params: idParams, body: staffBody } }, async ({ session, params, body }, reply) => {
    const saved = await saveStaff(deps, session, body, params.id);
    return saved.ok ? { success: true, data: saved.value } : sendRefusal(reply, saved.refusal);
  });

  api.delete('/users/:id', { config: requires('staff.write'), schema: { params: idParams } }, async ({ session, params }, reply) => {
    const removed = await removeStaff(deps, session, params.id);
    return removed.ok ? { success: true, data: null } : sendRefusal(reply, removed.refusal);
  });

  const ownProfile = z.object({ name: textSchema(1000), phone: textSchema(1000).default('') });
  api.put('/auth/me', { config: requires('session.use'), schema: { body: ownProfile } }, async ({ session, body }, reply) => {
    const changed = await changeOwnProfile(deps, session, body);
    return changed.ok ? { success: true, data: changed.value } : sendRefusal(reply, changed.refusal);
  });

  const passwords = z.object({ current_password: textSchema(1000), password: textSchema(1000) });
  api.post('/auth/password', { config: requires('session.use'), schema: { body: passwords } }, async ({ session, body }, reply) => {
    const changed = await changeOwnPassword(deps, session, { current: body.current_password, next: body.password });
    return changed.ok ? { success: true, data: null } : sendRefusal(reply, changed.refusal);
  });
};
