import { useTranslation } from 'react-i18next';
import { defaultOrderType } from '#domain/order/vocabulary.ts';
import type { Approver } from '#src/db/proof.ts';
import { toast } from '#src/ui/toaster.tsx';
import { currentDraft, usePlan } from '../plan-store.ts';
import { usePrintingContext } from '#src/printing/use-printing-context.ts';
import { useMay } from '#src/session/session.ts';
import { useOnce } from '#src/ui/use-once.ts';
import { useRefusalToast } from '../use-refusal-toast.ts';

/** Loads the commands in a chunk of their own, while the plan is made. */
export const loadCommands = () => import('#src/db/commands/treatments.ts');

export interface PlanActions {
  pending: boolean;
  save: () => Promise<void>;
  saveAndPay: () => Promise<void>;
}

export function usePlanActions(): PlanActions {
  const { t } = useTranslation();
  const context = usePrintingContext();
  const mayCreate = useMay('order.create');
  const mayExceed = useMay('order.discount_any');
  const showRefusal = useRefusalToast();
  const { pending, once } = useOnce();

  async function write(): Promise<{ orderId: string; number: string | null } | null> {
    const { editingId, ...plan } = usePlan.getState();
    const { lines, customerName, patient, room, notes, discount } = currentDraft({ editingId, drafts: plan.drafts });
    if (lines.length === 0) {
      toast({ tone: 'warning', title: t('counter.plan.emptyTitle'), text: t('counter.plan.emptyRefusal') });
      return null;
    }
    const { addServices, createTreatment } = await loadCommands();
    const services = lines.map((line) => ({
      itemKey: line.itemKey,
      quantity: line.quantity,
      ...(line.notes.trim() && { notes: line.notes.trim() }),
    }));
    const noted = notes.trim() ? { notes: notes.trim() } : {};
    if (editingId) {
      const result = await addServices(context(), { orderId: editingId, services, ...noted });
      if (result.ok) return { orderId: editingId, number: null };
      showRefusal(t('counter.failed.update'), result.refusal);
      return null;
    }
    const named = customerName.trim() ? { customerName: customerName.trim() } : {};
    const create = (approver?: Approver) =>
      createTreatment(
        { ...context(), approver },
        {
          orderType: defaultOrderType,
          services,
          ...named,
          patient,
          room,
          ...noted,
          discount: discount && { ...discount, mayExceed: mayExceed || approver !== undefined },
        },
      );
    let result = await create();
    if (!result.ok && result.refusal.code === 'DISCOUNT_OVER_LIMIT') {
      const { approveDiscount } = await import('./approve-discount.ts');
      const answer = await approveDiscount(t, discount!, result.refusal);
      if (!answer) return null;
      result = answer.ok ? await create(answer.value) : answer;
    }
    if (result.ok) return result.value;
    showRefusal(t('counter.failed.create'), result.refusal);
    return null;
  }

  async function run(then: (saved: { orderId: string; number: string | null }) => void): Promise<void> {
    if (!mayCreate) return;
    await once(async () => {
      const saved = await write();
      if (!saved) return;
      usePlan.getState().closeDraft();
      then(saved);
    });
  }

  return {
    pending,
    save: () =>
      run(({ number }) =>
        toast(
          number === null
            ? { tone: 'success', title: t('counter.done.updated') }
            : { tone: 'success', title: t('counter.done.created'), text: number },
        ),
      ),
    saveAndPay: () => run(({ orderId }) => usePlan.getState().openPayment(orderId)),
  };
}
