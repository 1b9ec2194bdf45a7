import { useLiveQuery } from '../local-data/live.ts';
import { useTranslation } from 'react-i18next';
import type { Action } from '#domain/permissions.ts';
import { db } from '../local-data/database.ts';
import { useMay, useSession } from '../session/session.ts';
import { Banner } from '../ui/banner.tsx';
import { approversHere } from './approver.ts';

/** True where the signed-in person needs an approval that nobody can give on this device. */
export function useNobodyApproves(action: Action): boolean {
  const isAllowed = useMay(action);
  const actorId = useSession(({ user }) => user?.id ?? 0);
  const people = useLiveQuery(() => approversHere(db, { action, actorId }, Date.now()), [action, actorId]);
  return !isAllowed && people?.length === 0;
}

/** Says before a form is filled in that nobody can approve it on this device, and how somebody can. */
export function ApprovalNeeded() {
  const { t } = useTranslation();
  return (
    <Banner tone="due" title={t('approval.nobodyTitle')}>
      {t('approval.nobody')}
    </Banner>
  );
}
