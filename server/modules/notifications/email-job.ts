/**
 * Emails: about the system at once, and after a business day, each sent once per clinic and day by any number of processes:
 *
 *     (day ends) ──▶ due ──▶ sent        accepted by the mail server
 *                     │ ▲ └─▶ empty      nothing to report
 *                     └─┘ retry          refused or not reached; given up at noon
 *
 * The sender holds an advisory lock on the email, so other processes skip it, and a process that dies releases it. When the
 * database cannot store that an email was sent, this process remembers it and stores it later.
 */
import { hourMs } from '#domain/durations.ts';
import type { Pool } from 'pg';
import { businessDay, daysAfter, startOfDay } from '#domain/business-day.ts';
import { defaultSettings } from '#domain/settings/settings.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import { emailKinds } from '#server/db/schema/notifications.ts';
import { acrossClinics } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Ports } from '#server/ports.ts';
import { startIntervalJob } from '#server/interval-job.ts';
import type { IntervalJob } from '#server/interval-job.ts';
import type { Email } from './render-email.ts';
import { attentionEmail, dayEndEmail, lowStockEmail, systemEmail } from './emails.ts';
import type { Mailer } from './mailer.ts';
import { readDayEnd, readAlerts, readAttention } from './service.ts';
import type { ClinicDay } from './service.ts';
import { dueEvents, holdSystemEmail, settleEvents } from './system-events-store.ts';
import {
  clinicsWithEmail,
  dueEmail,
  holdEmail,
  longestPauseMs,
  noteEmail,
  postponeEmail,
  settleEmail,
} from './store.ts';
import type { EmailKey } from './store.ts';

const everyMs = 60_000;
/** Emails about yesterday are sent until noon only, also when a setting is switched on later. */
const freshMs = 12 * hourMs;
/** What happened to the system is no news after three days, also when the setting is switched on later. */
const newsMs = 72 * hourMs;
const firstPauseMs = 60_000;

type EmailPorts = Pick<Ports, 'database' | 'clock'> & { mailer: Mailer };

export class EmailJob {
  private readonly pool: Pool;
  private readonly accepted = new Set<string>();

  constructor(
    private readonly ports: EmailPorts,
    /** Called for a fault of the job or the mail server; the email is tried again in either case. */
    private readonly onFault: (error: unknown) => void,
  ) {
    this.pool = acrossClinics(ports.database);
  }

  /** Sends all emails that are due. Never throws. */
  async look(): Promise<void> {
    try {
      const atMs = this.ports.clock();
      for (const { clinicId, data } of await clinicsWithEmail(this.pool)) {
        const clinic = { ...defaultSettings, ...data };
        if (clinic.system_updates) await this.tellOfSystem(clinicId, clinic, atMs);
        const today = businessDay(atMs, clinic.time_zone);
        if (atMs - startOfDay(today, clinic.time_zone) > freshMs) continue;
        const wanted = {
          day_end: clinic.daily_reports,
          low_stock: clinic.low_stock_alerts,
          attention: clinic.error_notifications,
        };
        const day = daysAfter(today, -1);
        for (const kind of emailKinds)
          if (wanted[kind]) await this.deliver({ clinicId, kind, day }, { clinicId, clinic, day, atMs });
      }
    } catch (error) {
      this.onFault(error);
    }
  }

  /** Sends what happened to the system as soon as it can be sent. */
  private async tellOfSystem(clinicId: number, clinic: ClinicSettings, atMs: number): Promise<void> {
    try {
      await inTransaction(this.pool, async (sql) => {
        if (!(await holdSystemEmail(sql, clinicId))) return;
        const events = await dueEvents(sql, clinicId, { nowMs: atMs, sinceMs: atMs - newsMs });
        const [first] = events;
        if (!first) return;
        let nextAtMs: number | null = null;
        try {
          const id = `system.${first.kind}.${first.reference}.${clinicId}`;
          await this.ports.mailer.send(systemEmail(events, clinic), clinic.notification_email, id);
        } catch (error) {
          this.onFault(error);
          nextAtMs = atMs + Math.min(firstPauseMs * 2 ** first.attempts, longestPauseMs);
        }
        await settleEvents(this.pool, clinicId, events, nextAtMs);
      });
    } catch (error) {
      this.onFault(error);
    }
  }

  private async deliver(key: EmailKey, about: ClinicDay): Promise<void> {
    const { atMs } = about;
    try {
      await noteEmail(this.pool, key, atMs);
      await inTransaction(this.pool, async (sql) => {
        const due = (await holdEmail(sql, key)) && (await dueEmail(sql, key, atMs));
        if (!due) return;
        try {
          await settleEmail(this.pool, key, await this.send(key, about), atMs);
        } catch (error) {
          this.onFault(error);
          await postponeEmail(this.pool, key, atMs + Math.min(firstPauseMs * 2 ** due.attempts, longestPauseMs));
        }
      });
    } catch (error) {
      this.onFault(error);
    }
  }

  private async send(key: EmailKey, about: ClinicDay): Promise<'sent' | 'empty'> {
    const id = `${key.kind}.${key.day}.${key.clinicId}`;
    if (this.accepted.has(id)) return 'sent';
    const email = await render(this.pool, key, about);
    if (!email) return 'empty';
    await this.ports.mailer.send(email, about.clinic.notification_email, id);
    this.accepted.add(id);
    return 'sent';
  }
}

async function render(pool: Pool, { kind }: EmailKey, about: ClinicDay): Promise<Email | null> {
  if (kind === 'day_end') return dayEndEmail(await readDayEnd(pool, about), about.clinic);
  if (kind === 'attention') {
    const items = await readAttention(pool, about);
    return items.some(({ isNew }) => isNew) ? attentionEmail(items, about.clinic) : null;
  }
  const calls = await readAlerts(pool, about);
  return calls.some(({ isNew }) => isNew) ? lowStockEmail(calls, about.clinic) : null;
}

/** Sends due emails every minute until it is stopped. */
export function startEmailJob(ports: EmailPorts, onFault: (error: unknown) => void): IntervalJob {
  const job = new EmailJob(ports, onFault);
  return startIntervalJob(() => job.look(), { everyMs, onFault });
}
