import { actionsOf } from '#domain/audit/actions.ts';
import type { AuditResource } from '#domain/audit/resources.ts';

/** An entry of the log, or a run of entries that say the same of several devices. */
export interface FoldedEntry extends AuditResource {
  /** The further subjects of the run, newest first. */
  others: string[];
  /** When the run began (ISO 8601); the time of the entry where there is no run. */
  since: string;
}

const deviceActions: ReadonlySet<string> = new Set(actionsOf('devices'));

/** Folds what one person did to devices one after the other into one entry: a morning of set-up is one line. */
export function foldEntries(entries: readonly AuditResource[]): FoldedEntry[] {
  const folded: FoldedEntry[] = [];
  for (const entry of entries) {
    const last = folded.at(-1);
    if (
      last &&
      deviceActions.has(entry.action) &&
      last.action === entry.action &&
      last.person?.id === entry.person?.id
    ) {
      last.others.push(entry.subject);
      last.since = entry.at;
    } else folded.push({ ...entry, others: [], since: entry.at });
  }
  return folded;
}
