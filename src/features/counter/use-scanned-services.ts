import { useTranslation } from 'react-i18next';
import { db } from '#src/local-data/database.ts';
import { useMay } from '#src/session/session.ts';
import { itemByBarcode } from '#src/db/queries/catalogue.ts';
import { toast } from '#src/ui/toaster.tsx';
import { useBarcodeScanner } from './barcode-scanner.ts';
import type { Scan } from './barcode-scanner.ts';
import { findFirst } from './create/use-catalogue-search.ts';
import { trackAddition } from './pending-additions.ts';
import { usePlan } from './plan-store.ts';

/** Adds scanned services to the plan, wherever the focus is and whatever is open. */
export function useScannedServices(): void {
  const { t } = useTranslation();
  const mayCreate = useMay('order.create');
  useBarcodeScanner((scan) => mayCreate && trackAddition(addScanned(scan)));

  async function addScanned({ code, field, endedWith, restoreField }: Scan): Promise<void> {
    const item = await itemByBarcode(db, code);
    if (item) {
      restoreField();
      usePlan.getState().addService(item);
      toast({ tone: 'success', title: t('counter.scan.added'), text: item.name });
      return;
    }
    // Fast typists and text expanders are as fast as a scanner, but they type a name or an amount.
    if (field?.type === 'search') {
      const named = await findFirst(field.value);
      if (named) {
        usePlan.getState().addService(named);
        field.select();
        return;
      }
    }
    if (field?.type === 'number' && /[.,]/.test(code)) {
      if (endedWith === 'Enter') field.form?.requestSubmit();
      return;
    }
    // Other fields may take codes of their own: a card, a voucher, the number of an insurance policy.
    if (field?.type !== 'search' && field?.type !== 'number' && field !== null) return;
    restoreField();
    toast({ tone: 'error', title: t('counter.scan.unknown'), text: t('counter.scan.unknownText', { code }) });
  }
}
