import { useEffectEvent, useLayoutEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { startScanner } from '../scanner/scanner.ts';
import { useSession } from '../session/session.ts';
import { toast } from '../ui/toaster.tsx';

/** Listens for barcode scanners on every page, and tells whoever is signed in of a scan that no page takes. */
export function ScanHost() {
  const { t } = useTranslation();
  const isIn = useSession(({ user, locked }) => user !== null && !locked);
  const tellOfScan = useEffectEvent((code: string) => {
    if (isIn)
      toast({ tone: 'info', title: t('counter.scan.elsewhere', { code }), text: t('counter.scan.elsewhereText') });
  });
  // Before the first page has its effects: keys typed at once belong to it.
  useLayoutEffect(() => startScanner(tellOfScan), []);
  return null;
}
