import { z } from 'zod';
import { businessDay } from '../../../domain/business-day.ts';
import { languages } from '../../../domain/language.ts';
import type { ReportFilters } from '../../../domain/report/filters.ts';
import type { Routes } from '../../ports.ts';
import { requires } from '../../http/access.ts';
import { unkeyed } from '../../http/idempotency.ts';
import { sendRefusal } from '../../http/refusals.ts';
import { recordAudit } from '../audit/service.ts';
import { clinicSettings } from '../clinics/service.ts';
import { reportFiltersSchema, soundFilters } from '../reports/service.ts';
import { ExportRunner, exportFormats } from './service.ts';
import type { ExportFormat } from './service.ts';

/** `language` is the language of the file and defaults to the clinic's. */
const exportBody = reportFiltersSchema.extend({ language: z.enum(languages).optional() });

/** `POST /reports/sales/export/excel` and `/pdf` stream the report as a file. */
export const exportRoutes: Routes =
  ({ database, clock }) =>
  async (api) => {
    const runner = new ExportRunner(database.$client);
    api.addHook('preClose', async () => runner.close());

    for (const format of Object.keys(exportFormats) as ExportFormat[]) {
      const { extension, contentType } = exportFormats[format];
      api.post(
        `/reports/sales/export/${format}`,
        { config: { ...requires('report.read'), ...unkeyed }, schema: { body: exportBody } },
        async ({ session, body }, reply) => {
          const sound = soundFilters(body);
          if (!sound.ok) return sendRefusal(reply, sound.refusal);
          const filters = sound.value;
          const clinic = await clinicSettings(database.$client, session.clinicId);
          const atMs = clock();
          const gone = new AbortController();
          reply.raw.once('close', () => gone.abort());
          const context = { clinic, filters, language: body.language ?? clinic.default_language, atMs };
          const begun = await runner.begin(session, format, { context, signal: gone.signal });
          if (!begun.ok) return sendRefusal(reply, begun.refusal);
          const { rows, content } = begun.value;
          await recordAudit(database.$client, session, {
            action: 'report.exported',
            details: { format, rows, ...auditedFilters(filters) },
            at: atMs,
          });
          return reply
            .header('content-type', contentType)
            .header(
              'content-disposition',
              `attachment; filename="sales_report_${businessDay(atMs, clinic.time_zone)}.${extension}"`,
            )
            .header('x-total-rows', rows)
            .send(content);
        },
      );
    }
  };

/** Returns the filters for the audit log without the search term, which may be a patient's name. */
function auditedFilters({ searchTerm, ...filters }: ReportFilters): Record<string, string | number> {
  const given = Object.entries({ ...filters, ...(searchTerm && { searchTerm: '…' }) });
  return Object.fromEntries(given.filter((entry): entry is [string, string | number] => entry[1] !== undefined));
}
