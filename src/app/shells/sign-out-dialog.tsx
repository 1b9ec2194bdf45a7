import { chakra } from '@chakra-ui/react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useActivity } from '../activity.ts';
import { db } from '../database.ts';
import { requestSync } from '../sync-host.ts';
import { useOutboxSummary } from '../use-outbox-summary.ts';

/** Loaded only now, with the client that it needs: the counter works all day without either. */
async function signOut(): Promise<void> {
  const session = await import('../../session/sign-out.ts');
  await session.signOut(db);
}

/** Leaves at once when there is nothing to say; otherwise says what stays unsent and what is lost, and asks. */
export function SignOutDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const summary = useOutboxSummary();
  const busy = useActivity((state) => state.busy);
  const unsent = summary ? summary.waiting + summary.attention : 0;
  const silent = open && summary !== undefined && unsent === 0 && !busy;
  useEffect(() => {
    if (silent) void signOut();
  }, [silent]);
  const canSync = summary?.link === 'online' && summary.waiting > 0;
  return (
    <Dialog
      open={open && summary !== undefined && !silent}
      onClose={onClose}
      title={t('signOut.title')}
      actions={
        <>
          <Button onClick={onClose}>{t('signOut.cancel')}</Button>
          {canSync && (
            <Button onClick={() => requestSync('asked')} disabled={summary.sending > 0}>
              {summary.sending > 0 ? t('signOut.syncing') : t('signOut.sync')}
            </Button>
          )}
          <Button variant="primary" onClick={() => void signOut()}>
            {t('signOut.confirm')}
          </Button>
        </>
      }
    >
      {unsent > 0 && (
        <chakra.p>
          {t('signOut.unsent', { count: unsent })} {t('signOut.kept')}
        </chakra.p>
      )}
      {busy && <chakra.p>{t('signOut.plan')}</chakra.p>}
    </Dialog>
  );
}
