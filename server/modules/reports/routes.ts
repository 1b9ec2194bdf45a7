import { z } from 'zod';
import { defaultPageSize, totalPages } from '#domain/pagination.ts';
import { languages } from '#domain/language.ts';
import { comparisons, defaultComparison, defaultReportPeriod, reportPeriods } from '#domain/report/vocabulary.ts';
import { withinClinic } from '#server/db/database.ts';
import type { Routes } from '#server/ports.ts';
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

/** Reports on the clinic's income. All routes only read. */
export const reportRoutes: Routes =
  ({ database, clock }) =>
  async (api) => {
    const config = requires('report.read');
    const asked = ({ clinicId }: { clinicId: number }) => ({ clinicId, atMs: clock() });

    api.get(
      '/admin/dashboard/stats',
      { config, schema: { querystring: z.strictObject({ language }) } },
      async ({ session, query }) => ({
        success: true,
        data: await readDashboard(withinClinic(database, session.clinicId), asked(session), query.language),
      }),
    );

    api.get(
      '/admin/dashboard/income-report',
      { config, schema: { querystring: z.strictObject({ period }) } },
      async ({ session, query }) => ({
        success: true,
        data: await readIncome(withinClinic(database, session.clinicId), asked(session), query.period),
      }),
    );

    api.get(
      '/reports/analytics',
      { config, schema: { querystring: z.strictObject({ period, compare, language }) } },
      async ({ session, query }) => ({
        success: true,
        data: await readAnalytics(
          withinClinic(database, session.clinicId),
          asked(session),
          { period: query.period, comparison: query.compare },
          query.language,
        ),
      }),
    );

    api.get(
      '/reports/orders',
      { config, schema: { querystring: pageQuery(200) } },
      async ({ session, query }, reply) => {
        const { page, size, ...given } = query;
        const filters = soundFilters(given);
        if (!filters.ok) return sendRefusal(reply, filters.refusal);
        const { data, total } = await readPreview(
          withinClinic(database, session.clinicId),
          asked(session),
          filters.value,
          {
            page,
            size,
          },
        );
        return {
          success: true,
          data,
          pagination: { total, page, per_page: size, totalPages: totalPages(total, size) },
        };
      },
    );

    api.get(
      '/reports/sales/preview',
      { config, schema: { querystring: pageQuery(50) } },
      async ({ session, query }, reply) => {
        const { page, size, ...given } = query;
        const filters = soundFilters(given);
        if (!filters.ok) return sendRefusal(reply, filters.refusal);
        return {
          success: true,
          data: await readPreview(withinClinic(database, session.clinicId), asked(session), filters.value, {
            page,
            size,
          }),
        };
      },
    );

    api.get(
      '/reports/removals',
      {
        config,
        schema: {
          querystring: z.strictObject({
            ...removalFiltersSchema.shape,
            page: pageNumber,
            size: pageSize(defaultPageSize, 200),
          }),
        },
      },
      async ({ session, query }, reply) => {
        const { page, size, person, ...dates } = query;
        const filters = soundFilters(dates);
        if (!filters.ok) return sendRefusal(reply, filters.refusal);
        const { startDate, endDate } = filters.value;
        const pool = withinClinic(database, session.clinicId);
        return {
          success: true,
          data: await readRemovals(pool, session, { startDate, endDate, person }, { page, size }),
        };
      },
    );

    api.get(
      '/reports/book',
      { config, schema: { querystring: bookPeriodSchema } },
      async ({ session, query }, reply) => {
        const days = soundPeriod(query);
        if (!days.ok) return sendRefusal(reply, days.refusal);
        const pool = withinClinic(database, session.clinicId);
        return { success: true, data: await readBook(pool, session.clinicId, days.value) };
      },
    );

    api.get('/reports/uninvoiced', { config }, async ({ session: { clinicId } }) => {
      const pool = withinClinic(database, clinicId);
      const settings = await clinicSettings(pool, clinicId);
      return { success: true, data: await readUninvoiced(pool, { clinicId, settings, nowMs: clock() }) };
    });

    api.get(
      '/reports/sales/taxes',
      { config, schema: { querystring: reportFiltersSchema } },
      async ({ session, query }, reply) => {
        const filters = soundFilters(query);
        if (!filters.ok) return sendRefusal(reply, filters.refusal);
        return {
          success: true,
          data: await readTaxes(withinClinic(database, session.clinicId), asked(session), filters.value),
        };
      },
    );
  };
