import { chakra } from '@chakra-ui/react';
import { useLiveQuery } from '#src/local-data/live.ts';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor } from '#domain/money.ts';
import { unsentMoney } from '#src/db/queries/tray.ts';
import { clinicSettings } from '#src/db/singletons.ts';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { useActivity } from '#src/sync/activity.ts';
import { db } from '#src/local-data/database.ts';
import { requestSync } from '#src/sync/sync-host.ts';
import { useOutboxSummary } from '#src/sync/use-outbox-summary.ts';

/** Loads the code on demand, because the counter needs neither it nor the API client. */
async function signOut(): Promise<void> {
  const session = await import('#src/auth/sign-out.ts');
  await session.signOut(db);
}

/** Returns the unsent payments; reads them only while the dialog is open. */
function useUnsentMoney(open: boolean): { count: number; amount: string } | undefined {
  return useLiveQuery(async () => {
    if (!open) return undefined;
    const [{ payments, totalMinor }, { currency }] = await Promise.all([unsentMoney(db), clinicSettings(db)]);
    return { count: payments, amount: formatMinor(totalMinor, currencyLabel(currency)) };
  }, [open]);
}

/** Signs out at once if nothing is unsent and no plan is open; otherwise lists both and asks for confirmation. */
export function SignOutDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const summary = useOutboxSummary();
  const selling = useActivity((state) => state.selling);
  const money = useUnsentMoney(open);
  const unsent = summary ? summary.waiting + summary.attention : 0;
  const silent = open && summary !== undefined && unsent === 0 && !selling;
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
          {t('signOut.unsent', { count: unsent })} {money && money.count > 0 && `${t('signOut.money', money)} `}
          {t('signOut.kept', { count: unsent })}
        </chakra.p>
      )}
      {selling && <chakra.p>{t('signOut.plan')}</chakra.p>}
    </Dialog>
  );
}
