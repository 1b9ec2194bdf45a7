import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { businessDay, isDay } from '#domain/business-day.ts';
import { uuidV7 } from '#domain/uuid.ts';
import { withinClinic } from '#server/db/database.ts';
import type { Routes } from '#server/ports.ts';
import { requires } from '#server/http/access.ts';
import { unkeyed } from '#server/http/idempotency.ts';
import { sendRefusal } from '#server/http/refusals.ts';
import { TooMuchWaits } from '#server/http/clinic-turns.ts';
import { recordAudit } from '../audit/service.ts';
import { clinicSettings } from '../clinics/service.ts';
import { testEmail } from './emails.ts';
import { smtpMailer } from './mailer.ts';
import { readDayEnd } from './service.ts';

const dayQuery = z.strictObject({ day: z.string().refine(isDay, { message: 'date' }).optional() });

/** The summary of a day, and a test email. */
export const notificationRoutes: Routes =
  ({ database, clock, config, budgets }) =>
  async (api) => {
    const mailer = config.smtp && smtpMailer(config.smtp);

    /** Defaults to the current business day. */
    api.get(
      '/reports/day-end',
      { config: requires('report.read'), schema: { querystring: dayQuery } },
      async ({ session: { clinicId }, query }) => {
        const clinic = await clinicSettings(withinClinic(database, clinicId), clinicId);
        const atMs = clock();
        const day = query.day ?? businessDay(atMs, clinic.time_zone);
        return {
          success: true,
          data: await readDayEnd(withinClinic(database, clinicId), { clinicId, clinic, day, atMs }),
        };
      },
    );

    api.post(
      '/settings/test-mail',
      { config: { ...requires('settings.write'), ...unkeyed } },
      async (request, reply) => {
        const { session, log } = request;
        const clinic = await clinicSettings(withinClinic(database, session.clinicId), session.clinicId);
        if (!mailer || clinic.notification_email === '') return sendRefusal(reply, { code: 'MAIL_NOT_SET_UP' });
        const waitSeconds = budgets.testMail(session);
        if (waitSeconds > 0)
          return sendRefusal(reply.header('retry-after', waitSeconds), { code: 'TOO_MANY_REQUESTS' });
        const at = clock();
        try {
          await api.turns.outside(request, () =>
            mailer.send(testEmail(clinic), clinic.notification_email, uuidV7(at, randomBytes(10))),
          );
        } catch (error) {
          if (error instanceof TooMuchWaits) throw error;
          log.warn({ err: error }, 'test mail failed');
          return sendRefusal(reply, { code: 'MAIL_FAILED' });
        }
        await recordAudit(withinClinic(database, session.clinicId), session, { action: 'settings.test_mail', at });
        return { success: true, data: { to: clinic.notification_email } };
      },
    );
  };
