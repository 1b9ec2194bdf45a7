import { z } from 'zod';
import { defaultPageSize, paginationOf } from '#domain/pagination.ts';
import { languages } from '#domain/language.ts';
import { comparisons, defaultComparison, defaultReportPeriod, reportPeriods } from '#domain/report/vocabulary.ts';
import { withinClinic } from '#server/db/database.ts';
import type { Api, RoutePorts, Routes } from '#server/ports.ts';
import { requires } from '#server/http/access.ts';
import { pageNumber, pageSize } from '#server/http/paging.ts';
import { sendRefusal } from '#server/http/refusals.ts';
import { clinicSettings } from '../clinics/service.ts';
import {
  bookPeriodSchema,
  readAnalytics,
  readBook,
  readDashboard,
  readIncome,
  readPreview,
  readRemovals,
  readTaxes,
  readUninvoiced,
  removalFiltersSchema,
  reportFiltersSchema,
  soundFilters,
  soundPeriod,
} from './service.ts';

const language = z.enum(languages).optional();
const period = z.enum(reportPeriods).default(defaultReportPeriod);
const compare = z.enum(comparisons).default(defaultComparison);
const pageQuery = (largest: number) =>
  z.strictObject({
    ...reportFiltersSchema.shape,
    page: pageNumber,
    size: pageSize(defaultPageSize, largest),
  });
const removalQuery = z.strictObject({
  ...removalFiltersSchema.shape,
  page: pageNumber,
  size: pageSize(defaultPageSize, 200),
});
const config = requires('report.read');

/** Returns what the reports of a clinic read: its rows, and the time at which somebody asks. */
function readerOf({ database, clock }: RoutePorts, { clinicId }: { clinicId: number }) {
  return { pool: withinClinic(database, clinicId), asked: { clinicId, atMs: clock() } };
}

/** What the clinic earned, in figures by day. */
function incomeRoutes(api: Api, ports: RoutePorts): void {
  api.get(
    '/admin/dashboard/stats',
    { config, schema: { querystring: z.strictObject({ language }) } },
    async ({ session, query }) => {
      const { pool, asked } = readerOf(ports, session);
      return { success: true, data: await readDashboard(pool, asked, query.language) };
    },
  );

  api.get(
    '/admin/dashboard/income-report',
    { config, schema: { querystring: z.strictObject({ period }) } },
    async ({ session, query }) => {
      const { pool, asked } = readerOf(ports, session);
      return { success: true, data: await readIncome(pool, asked, query.period) };
    },
  );

  api.get(
    '/reports/analytics',
    { config, schema: { querystring: z.strictObject({ period, compare, language }) } },
    async ({ session, query }) => {
      const { pool, asked } = readerOf(ports, session);
      const chosen = { period: query.period, comparison: query.compare };
      return { success: true, data: await readAnalytics(pool, asked, chosen, query.language) };
    },
  );
}

/** The treatments of a period, page by page, and what somebody removed from them. */
function treatmentRoutes(api: Api, ports: RoutePorts): void {
  api.get('/reports/orders', { config, schema: { querystring: pageQuery(200) } }, async ({ session, query }, reply) => {
    const { page, size, ...given } = query;
    const filters = soundFilters(given);
    if (!filters.ok) return sendRefusal(reply, filters.refusal);
    const { pool, asked } = readerOf(ports, session);
    const { data, total } = await readPreview(pool, asked, filters.value, { page, size });
    const pagination = paginationOf({ total, page, per_page: size });
    return { success: true, data, pagination };
  });

  api.get(
    '/reports/sales/preview',
    { config, schema: { querystring: pageQuery(50) } },
    async ({ session, query }, reply) => {
      const { page, size, ...given } = query;
      const filters = soundFilters(given);
      if (!filters.ok) return sendRefusal(reply, filters.refusal);
      const { pool, asked } = readerOf(ports, session);
      return { success: true, data: await readPreview(pool, asked, filters.value, { page, size }) };
    },
  );

  api.get('/reports/removals', { config, schema: { querystring: removalQuery } }, async ({ session, query }, reply) => {
    const { page, size, person, ...dates } = query;
    const filters = soundFilters(dates);
    if (!filters.ok) return sendRefusal(reply, filters.refusal);
    const { startDate, endDate } = filters.value;
    const { pool } = readerOf(ports, session);
    const data = await readRemovals(pool, session, { startDate, endDate, person }, { page, size });
    return { success: true, data };
  });
}

/** Invoices and their taxes, for the accountant. */
function bookRoutes(api: Api, ports: RoutePorts): void {
  api.get('/reports/book', { config, schema: { querystring: bookPeriodSchema } }, async ({ session, query }, reply) => {
    const days = soundPeriod(query);
    if (!days.ok) return sendRefusal(reply, days.refusal);
    const { pool } = readerOf(ports, session);
    return { success: true, data: await readBook(pool, session.clinicId, days.value) };
  });

  api.get('/reports/uninvoiced', { config }, async ({ session: { clinicId } }) => {
    const { pool, asked } = readerOf(ports, { clinicId });
    const settings = await clinicSettings(pool, clinicId);
    return { success: true, data: await readUninvoiced(pool, { clinicId, settings, nowMs: asked.atMs }) };
  });

  api.get(
    '/reports/sales/taxes',
    { config, schema: { querystring: reportFiltersSchema } },
    async ({ session, query }, reply) => {
      const filters = soundFilters(query);
      if (!filters.ok) return sendRefusal(reply, filters.refusal);
      const { pool, asked } = readerOf(ports, session);
      return { success: true, data: await readTaxes(pool, asked, filters.value) };
    },
  );
}

/** Reports on the clinic's income. All routes only read. */
export const reportRoutes: Routes = (ports) => async (api) => {
  incomeRoutes(api, ports);
  treatmentRoutes(api, ports);
  bookRoutes(api, ports);
};
