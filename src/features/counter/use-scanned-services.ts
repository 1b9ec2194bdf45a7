import { useTranslation } from 'react-i18next';
import { db } from '../../device/database.ts';
import { useMay } from '../../session/use-may.ts';
import { itemByBarcode, searchCatalogue } from '../../db/queries/catalogue.ts';
import { toast } from '../../ui/toaster.tsx';
import { trackAddition } from './pending-additions.ts';
import { usePlan } from './plan-store.ts';
import { useWedgeScanner } from './use-wedge-scanner.ts';
import type { Scan } from './use-wedge-scanner.ts';

/** Adds what a scanner reads to the plan, wherever the focus is and whatever is open. */
export function useScannedServices(): void {
  const { t } = useTranslation();
  const mayCreate = useMay('order.create');
  useWedgeScanner((scan) => mayCreate && trackAddition(take(scan)));

  async function take({ code, field, endedWith, restoreField }: Scan): Promise<void> {
    const item = await itemByBarcode(db, code);
    if (item) {
      restoreField();
      usePlan.getState().addService(item);
      toast({ tone: 'success', title: t('counter.scan.added'), text: item.name });
      return;
    }
    // Fast fingers and text expanders type as fast as a scanner, but what they type is a name or an amount.
    if (field?.type === 'search') {
      const [named] = await searchCatalogue(db, { text: field.value, categoryId: null, limit: 1 });
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
    // Other fields may take codes of their own: a card, a voucher, the number of a policy.
    if (field?.type !== 'search' && field?.type !== 'number' && field !== null) return;
    restoreField();
    toast({ tone: 'error', title: t('counter.scan.unknown'), text: t('counter.scan.unknownText', { code }) });
  }
}
