import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { businessDay } from '#domain/business-day.ts';
import { languages } from '#domain/language.ts';
import type { Language } from '#domain/language.ts';
import type { ReportFilters } from '#domain/report/filters.ts';
import { withinClinic } from '#server/db/database.ts';
import type { Api, RoutePorts, Routes } from '#server/ports.ts';
import { requires } from '#server/http/access.ts';
import { unkeyed } from '#server/http/idempotency.ts';
import { sendRefusal } from '#server/http/refusals.ts';
import { recordAudit } from '../audit/service.ts';
import { clinicSettings } from '../clinics/service.ts';
import {
  bookPeriodSchema,
  removalFiltersSchema,
  reportFiltersSchema,
  soundFilters,
  soundPeriod,
} from '../reports/service.ts';
import { pictureAsPng } from '../uploads/service.ts';
import type { ExportContext } from './report-texts.ts';
import { ExportRunner, bookExport, exportFormats, removalExport, treatmentExport } from './service.ts';
import type { ExportFormat, ExportSource } from './service.ts';

/** `language` is the language of the file and defaults to the clinic's. */
const inLanguage = { language: z.enum(languages).optional() };
const salesBody = reportFiltersSchema.extend(inLanguage);
const bookBody = bookPeriodSchema.extend(inLanguage);
const removalsBody = removalFiltersSchema.extend(inLanguage);

interface AskedFile {
  format: ExportFormat;
  language: Language | undefined;
  filters: ReportFilters;
  /** What the file's name begins with. */
  name: string;
  audited: Record<string, string | number>;
  sourceOf: (context: ExportContext) => ExportSource;
}

type Send = (request: FastifyRequest, reply: FastifyReply, asked: AskedFile) => Promise<FastifyReply>;

/** Returns what streams a report as a file, and writes that somebody has it into the audit log. */
const sendsFiles =
  ({ database, clock }: RoutePorts, runner: ExportRunner): Send =>
  async (request, reply, { format, language, filters, name, audited, sourceOf }) => {
    const { session, server } = request;
    const { extension, contentType } = exportFormats[format];
    const pool = withinClinic(database, session.clinicId);
    const clinic = await clinicSettings(pool, session.clinicId);
    const atMs = clock();
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    const logo = format === 'pdf' ? await pictureAsPng(pool, session.clinicId, clinic.logo_url) : null;
    const source = sourceOf({ clinic, filters, language: language ?? clinic.default_language, atMs, logo });
    const begun = await runner.begin(session, format, {
      source,
      signal: gone.signal,
      whileWaiting: (wait) => server.turns.without(request, wait),
    });
    if (!begun.ok) return sendRefusal(reply, begun.refusal);
    const { rows, content } = begun.value;
    await recordAudit(pool, session, {
      action: 'report.exported',
      details: { format, rows, ...audited },
      at: atMs,
    });
    const day = businessDay(atMs, clinic.time_zone);
    return reply
      .header('content-type', contentType)
      .header('content-disposition', `attachment; filename="${name}_${day}.${extension}"`)
      .header('x-total-rows', rows)
      .send(content);
  };

const config = { ...requires('report.read'), ...unkeyed };

function salesRoute(api: Api, send: Send, format: 'excel' | 'pdf'): void {
  api.post(`/reports/sales/export/${format}`, { config, schema: { body: salesBody } }, async (request, reply) => {
    const { language, ...given } = request.body;
    const sound = soundFilters(given);
    if (!sound.ok) return sendRefusal(reply, sound.refusal);
    return send(request, reply, {
      format,
      language,
      filters: sound.value,
      name: 'sales_report',
      audited: auditedFilters(sound.value),
      sourceOf: (context) => treatmentExport(request.session.clinicId, context),
    });
  });
}

function removalsRoute(api: Api, send: Send, format: 'excel' | 'pdf'): void {
  api.post(`/reports/removals/export/${format}`, { config, schema: { body: removalsBody } }, async (request, reply) => {
    const { language, person, ...period } = request.body;
    const sound = soundFilters(period);
    if (!sound.ok) return sendRefusal(reply, sound.refusal);
    const { startDate, endDate } = sound.value;
    const filters = { startDate, endDate };
    return send(request, reply, {
      format,
      language,
      filters,
      name: 'removals',
      audited: { report: 'removals', ...auditedFilters(filters), ...(person !== undefined && { person }) },
      sourceOf: (context) => removalExport(request.session.clinicId, { ...filters, person }, context),
    });
  });
}

function bookRoute(api: Api, send: Send, format: 'excel' | 'csv'): void {
  api.post(`/reports/book/export/${format}`, { config, schema: { body: bookBody } }, async (request, reply) => {
    const { language, ...given } = request.body;
    const period = soundPeriod(given);
    if (!period.ok) return sendRefusal(reply, period.refusal);
    const { start, end } = period.value;
    const filters = { startDate: start, endDate: end };
    return send(request, reply, {
      format,
      language,
      filters,
      name: 'invoice_book',
      audited: { report: 'book', ...filters },
      sourceOf: (context) => bookExport(request.session.clinicId, period.value, context),
    });
  });
}

/**
 * `POST /reports/sales/export/excel`, `/reports/removals/export/excel` and `/pdf`, and `/reports/book/export/excel` and
 * `/csv` stream a report as a file.
 */
export const exportRoutes: Routes = (ports) => async (api) => {
  const runner = new ExportRunner(ports.database);
  api.addHook('preClose', async () => runner.close());
  const send = sendsFiles(ports, runner);
  for (const format of ['excel', 'pdf'] as const) {
    salesRoute(api, send, format);
    removalsRoute(api, send, format);
  }
  for (const format of ['excel', 'csv'] as const) bookRoute(api, send, format);
};

/** Returns the filters for the audit log without the search term, which may be a patient's name. */
function auditedFilters({ searchTerm, ...filters }: ReportFilters): Record<string, string | number> {
  const given = Object.entries({ ...filters, ...(searchTerm && { searchTerm: '…' }) });
  return Object.fromEntries(given.filter((entry): entry is [string, string | number] => entry[1] !== undefined));
}
