/** Yields the audit log as CSV, page by page, because a log of years would not fit in memory. */
import type { Pool } from 'pg';
import { actionKey } from '#domain/audit/actions.ts';
import type { AuditResource } from '#domain/audit/resources.ts';
import type { Language } from '#domain/language.ts';
import { localTime } from '#domain/time-zone.ts';
import { guarded, printCsv, printRows } from '#server/csv.ts';
import { translationsIn } from '#server/translations.ts';
import { placeOf, readAudit } from './store.ts';
import type { AuditQuery } from './store.ts';

const chunkRows = 1000;

export async function* auditTable(
  pool: Pool,
  query: Omit<AuditQuery, 'after' | 'limit'>,
  language: Language,
): AsyncGenerator<string> {
  const { columns, actions } = translationsIn(language).audit;
  // ISO-like in both languages: it sorts, and spreadsheets read it.
  const clock = (instant: string) => localTime(Date.parse(instant), query.timeZone).replace('T', ' ');
  const cells = ({ at, person, approver, uploader, device, action, subject, details }: AuditResource) => [
    clock(at),
    person?.name ?? '',
    approver?.name ?? '',
    uploader?.name ?? '',
    device?.code ?? '',
    actions[actionKey(action)],
    subject,
    detailText(details),
  ];
  yield printCsv(
    [
      columns.at,
      columns.person,
      columns.approver,
      columns.uploader,
      columns.device,
      columns.action,
      columns.subject,
      columns.details,
    ],
    [],
  );
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await readAudit(pool, { ...query, after: placeOf(cursor), limit: chunkRows });
    yield printRows(page.data.map((row) => cells(row).map(guarded)));
    cursor = page.next;
  }
}

const detailText = (details: AuditResource['details']): string =>
  Object.entries(details)
    .map(([name, value]) => `${name}: ${value}`)
    .join('; ');
