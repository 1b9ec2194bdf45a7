import { useLiveQuery } from '#src/local-data/live.ts';
import { useRef } from 'react';
import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { milliFromWire } from '#domain/quantity.ts';
import { useWriteContext } from '#src/sync/use-write-context.ts';
import { db } from '#src/local-data/database.ts';
import { useDraftForm } from '#src/forms/draft-form.ts';
import { adjustStock } from '#src/db/commands/stock.ts';
import { stockItemById } from '#src/db/queries/stock-levels.ts';
import { toast } from '#src/ui/toaster.tsx';
import { adjustmentProblems, amountFor, blankAdjustment } from './adjustment-draft.ts';
import type { AdjustmentAction, AdjustmentDraft } from './adjustment-draft.ts';
import { useQuantityFormats } from '../quantity-text.tsx';

export type Adjustment = ReturnType<typeof useAdjustment>;

/** State of the adjustment form: its draft, the chosen item at its current quantity, and the submit action. */
export function useAdjustment() {
  const { t } = useTranslation();
  const context = useWriteContext();
  const { quantity } = useQuantityFormats();
  const form = useDraftForm<AdjustmentDraft>({
    name: 'stock.adjust',
    initial: blankAdjustment,
    problemsOf: adjustmentProblems,
  });
  const itemField = useRef<HTMLInputElement>(null);
  const { setValue, setFocus, getValues, watch } = form;
  const id = watch('id');
  const found = useLiveQuery(() => (id === 0 ? undefined : stockItemById(db, id)), [id]);
  // Right after a choice the query still returns the previous item.
  const item = found?.id === id ? found : undefined;

  async function save({ id: stockId, action, amount, notes }: AdjustmentDraft) {
    if (!item || amount === null) return;
    const result = await adjustStock(context, { stockId, action, amount, notes });
    if (!result.ok) {
      toast({ tone: 'error', title: t('stock.adjust.failed'), text: t(`errors.${result.refusal.code}`) });
      return;
    }
    toast({
      tone: 'success',
      title: t(`stock.adjust.done.${action}`, { name: item.name, amount: quantity(milliFromWire(amount), item.unit) }),
      text: t('stock.adjust.saved'),
    });
    form.startOver();
    itemField.current?.focus();
  }

  return {
    form,
    itemField,
    item,
    /** Selects the item and focuses the amount; null clears it and focuses the search. */
    chooseItem: (chosen: number | null) => {
      setValue('id', chosen ?? 0, { shouldDirty: true });
      if (chosen === null) itemField.current?.focus();
      else setFocus('amount', { shouldSelect: true });
    },
    chooseAction: (action: AdjustmentAction) => {
      setValue('action', action, { shouldDirty: true });
      setValue('amount', amountFor(action, getValues('amount')), { shouldDirty: true, shouldValidate: true });
    },
    submit: (event: FormEvent) => form.handleSubmit(save)(event),
  };
}
