/** Reads of the audit log. */
import type { AuditChoices, AuditPage } from '#domain/audit/resources.ts';
import type { AuditGroup } from '#domain/audit/actions.ts';
import type { Reply } from './list-query.ts';
import { useServerData } from './use-server-data.ts';

/** An empty filter matches everything. */
export interface AuditFilters {
  person: string;
  group: AuditGroup | '';
  device: string;
  from: string;
  to: string;
}

export const useAuditLog = (filters: AuditFilters, cursor: string | null) =>
  useServerData<AuditPage>('audit', { ...filters, cursor });

/** Reads what the filters of the log offer. */
export const useAuditChoices = () => useServerData<Reply<AuditChoices>>('audit/choices').value?.data;

export const auditPaths = ['audit'];
