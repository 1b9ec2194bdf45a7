/**
 * Letters at the end of a business day, each once per clinic and day however many processes run:
 *
 *     (day ends) ──▶ due ──▶ sent        taken by the mail server
 *                     │ ▲ └─▶ empty      nothing to say
 *                     └─┘ later          refused or not reached; given up when the morning is over
 *
 * Whoever sends a letter holds a lock on its name, so others pass it by, and a process that dies lets go of it. A letter that
 * was taken while the database would not note it is remembered, so this process only notes it then.
 */
import type { Pool } from 'pg';
import { businessDay, daysAfter, startOfDay } from '../../../domain/business-day.ts';
import { defaultSettings } from '../../../domain/settings/settings.ts';
import { emailKinds } from '../../db/schema/notifications.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Ports } from '../../ports.ts';
import { startIntervalJob } from '../../interval-job.ts';
import type { IntervalJob } from '../../interval-job.ts';
import type { Email } from './render-email.ts';
import { attentionEmail, dayEndEmail, lowStockEmail } from './emails.ts';
import type { Mailer } from './mailer.ts';
import { readDayEnd, readShelf, readTray } from './service.ts';
import type { ClinicDay } from './service.ts';
import { clinicsWithEmail, dueEmail, holdEmail, noteEmail, postponeEmail, settleEmail } from './store.ts';
import type { EmailKey } from './store.ts';

const lookEveryMs = 60_000;
/** A summary of yesterday is news until noon. So is mail for whoever switches it on later: not of a day that is long over. */
const freshMs = 12 * 3_600_000;
const firstPauseMs = 60_000;
const longestPauseMs = 3_600_000;

type Surroundings = Pick<Ports, 'database' | 'clock'> & { post: Mailer };

export class Delivery {
  private readonly pool: Pool;
  private readonly taken = new Set<string>();

  constructor(
    private readonly surroundings: Surroundings,
    /** A fault in the work itself, or a mail server's: letters are tried again all the same. */
    private readonly onFault: (error: unknown) => void,
  ) {
    this.pool = surroundings.database.$client;
  }

  /** Sends whatever is to be sent now. Never throws. */
  async look(): Promise<void> {
    try {
      const atMs = this.surroundings.clock();
      for (const { clinicId, data } of await clinicsWithEmail(this.pool)) {
        const clinic = { ...defaultSettings, ...data };
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
    if (this.taken.has(id)) return 'sent';
    const letter = await write(this.pool, key, about);
    if (!letter) return 'empty';
    await this.surroundings.post.send(letter, about.clinic.notification_email, id);
    this.taken.add(id);
    return 'sent';
  }
}

async function write(pool: Pool, { kind }: EmailKey, about: ClinicDay): Promise<Email | null> {
  if (kind === 'day_end') return dayEndEmail(await readDayEnd(pool, about), about.clinic);
  if (kind === 'attention') {
    const items = await readTray(pool, about);
    return items.some(({ isNew }) => isNew) ? attentionEmail(items, about.clinic) : null;
  }
  const calls = await readShelf(pool, about);
  return calls.some(({ isNew }) => isNew) ? lowStockEmail(calls, about.clinic) : null;
}

/** Looks every minute until it is stopped. */
export function startEmailJob(surroundings: Surroundings, onFault: (error: unknown) => void): IntervalJob {
  const delivery = new Delivery(surroundings, onFault);
  return startIntervalJob(() => delivery.look(), { everyMs: lookEveryMs, onFault });
}
