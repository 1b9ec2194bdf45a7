import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { db } from '#src/local-data/database.ts';
import { useMay } from '#src/session/session.ts';
import { itemByBarcode } from '#src/db/queries/catalogue.ts';
import { onScan } from '#src/scanner/scanner.ts';
import { toast } from '#src/ui/toaster.tsx';
import { trackAddition } from './pending-additions.ts';
import { usePlan } from './plan-store.ts';

/** Adds scanned services to the plan while it is in sight. Elsewhere a scan adds nothing. */
export function useScannedServices(): void {
  const { t } = useTranslation();
  const mayCreate = useMay('order.create');
  const take = useEffectEvent((code: string) => {
    const isInSight = mayCreate && usePlan.getState().mode === 'create' && !document.querySelector(otherDialog);
    if (isInSight) trackAddition(addScanned(code));
    return isInSight;
  });
  useEffect(() => onScan(take), []);

  async function addScanned(code: string): Promise<void> {
    const item = await itemByBarcode(db, code);
    if (item) {
      usePlan.getState().addService(item);
      toast({ tone: 'success', title: t('counter.scan.added'), text: item.name });
    } else {
      toast({ tone: 'error', title: t('counter.scan.unknown'), text: t('counter.scan.unknownText', { code }) });
    }
  }
}

/** A dialog that is not the plan itself. */
const otherDialog = 'dialog[open]:not([data-plan])';
