import { useEffectEvent, useLayoutEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { startScanner } from '../scanner/scanner.ts';
import { useSession } from '../session/session.ts';
import { toast, Toaster } from '../ui/toaster.tsx';

export function AppToaster() {
  const { t } = useTranslation();
  // A message for one person must not show to the next one at the lock screen.
  const locked = useSession((state) => state.locked);
  const isIn = useSession((state) => state.user !== null) && !locked;
  const tellOfScan = useEffectEvent((code: string) => {
    if (isIn)
      toast({ tone: 'info', title: t('counter.scan.elsewhere', { code }), text: t('counter.scan.elsewhereText') });
  });
  // Before the first page has its effects: keys typed at once belong to it.
  useLayoutEffect(() => startScanner(tellOfScan), []);
  if (locked) return null;
  return <Toaster label={t('app.notifications')} dismissLabel={t('app.dismiss')} />;
}
