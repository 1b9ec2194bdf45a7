import { z } from 'zod';
import { auditGroups } from '#domain/audit/actions.ts';
import { businessDay } from '#domain/business-day.ts';
import { languages } from '#domain/language.ts';
import { idParamSchema, textSchema } from '#domain/wire/schemas.ts';
import { withinClinic } from '#server/db/database.ts';
import type { Routes } from '#server/ports.ts';
import { requires } from '#server/http/access.ts';
import { streamed } from '#server/http/streamed.ts';
import { loadClinic } from '#server/operations/store.ts';
import { auditChoices, placeOf, readAudit } from './store.ts';
import { recordAudit } from './service.ts';
import { auditTable } from './table.ts';

const filtersSchema = z.strictObject({
  person: idParamSchema.optional(),
  device: idParamSchema.optional(),
  group: z.enum(auditGroups).optional(),
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
});
const pageSchema = filtersSchema.extend({
  cursor: textSchema(200)
    .transform(placeOf)
    .refine((place) => place !== null, 'notInLog')
    .optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
const exportSchema = filtersSchema.extend({ language: z.enum(languages).optional() });

/** The audit log for administrators: pages, filter choices and an export. */
export const auditRoutes: Routes =
  ({ database, clock }) =>
  async (api) => {
    const config = requires('audit.read');

    api.get('/audit', { config, schema: { querystring: pageSchema } }, async ({ session: { clinicId }, query }) => {
      const { cursor, limit, ...filters } = query;
      const { settings } = await loadClinic(withinClinic(database, clinicId), clinicId);
      return {
        success: true,
        ...(await readAudit(withinClinic(database, clinicId), {
          clinicId,
          timeZone: settings.time_zone,
          filters,
          after: cursor ?? null,
          limit,
        })),
      };
    });

    api.get('/audit/choices', { config }, async ({ session }) => ({
      success: true,
      data: await auditChoices(withinClinic(database, session.clinicId), session.clinicId),
    }));

    api.get(
      '/audit/export.csv',
      { config, schema: { querystring: exportSchema } },
      async ({ session, query }, reply) => {
        const { language, ...filters } = query;
        const { settings } = await loadClinic(withinClinic(database, session.clinicId), session.clinicId);
        const { time_zone, default_language } = settings;
        const at = clock();
        await recordAudit(withinClinic(database, session.clinicId), session, {
          action: 'audit.exported',
          details: given(filters),
          at,
        });
        const table = auditTable(
          withinClinic(database, session.clinicId),
          { clinicId: session.clinicId, timeZone: time_zone, filters },
          language ?? default_language,
        );
        return reply
          .type('text/csv; charset=utf-8')
          .header('content-disposition', `attachment; filename="audit_log_${businessDay(at, time_zone)}.csv"`)
          .send(streamed(table));
      },
    );
  };

function given(filters: Record<string, string | number | undefined>): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(filters).filter((entry): entry is [string, string | number] => entry[1] !== undefined),
  );
}
