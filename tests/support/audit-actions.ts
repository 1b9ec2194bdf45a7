import { actionsOf, auditGroups } from '#domain/audit/actions.ts';

export const auditActions = auditGroups.flatMap(actionsOf);
