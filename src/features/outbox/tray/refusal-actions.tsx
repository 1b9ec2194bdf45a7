import { chakra } from '@chakra-ui/react';
import { CheckCheck, CircleSlash } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApprovable } from '#domain/attention.ts';
import { isVoidable } from '#domain/protocol/operations.ts';
import type { AttentionResource } from '#domain/protocol/sync.ts';
import { accept } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import { voidRemote } from '#src/db/commands/tray.ts';
import { useMay } from '#src/session/session.ts';
import { useWriteContext } from '#src/sync/use-write-context.ts';
import { Banner } from '#src/ui/banner.tsx';
import { Button } from '#src/ui/button.tsx';
import { loadLater } from '#src/ui/load-later.tsx';
import { moneyOf } from './told-amount.ts';
import { VoidForm } from './void-form.tsx';

const SettleDialog = loadLater(async () => (await import('./settle-dialog.tsx')).SettleDialog);

/** A refusal on another device that a void can end: what was refused is known by its id. */
export function voidableRefusal({ kind, op_kind, op_id, details }: AttentionResource) {
  const { aggregate } = details;
  const isKnown = kind === 'refused' && op_id !== null && typeof aggregate === 'string' && aggregate.includes(':');
  return isKnown && isVoidable(op_kind ?? '') ? { opId: op_id, aggregate } : null;
}

/** Lets refusals that are alike count, voids them, or settles those that no void can end. */
export function RefusalActions({ items, sentence }: { items: readonly AttentionResource[]; sentence: string }) {
  const { t } = useTranslation();
  const context = useWriteContext();
  const maySettle = useMay('attention.settle');
  const mayVoid = useMay('operation.void');
  const [dialog, setDialog] = useState<'approve' | 'settle' | 'void' | null>(null);
  const count = items.length;
  const close = () => setDialog(null);
  const refusals = items.map(voidableRefusal).filter((refusal) => refusal !== null);
  const paid = moneyOf('order.pay', items);
  const isPermanent = !isVoidable(items[0]!.op_kind ?? '');

  async function voidAll(reason: string): Promise<Result<{ opIds: string[] }>> {
    const opIds: string[] = [];
    for (const refusal of refusals) {
      const result = await voidRemote(context, { ...refusal, reason });
      if (!result.ok) return result;
      opIds.push(...result.value.opIds);
    }
    return accept({ opIds });
  }

  return (
    <>
      {maySettle && items.every(isApprovable) && (
        <Button onClick={() => setDialog('approve')}>
          <CheckCheck />
          {t('outbox.approvingAll.open', { count })}
        </Button>
      )}
      {maySettle && isPermanent && (
        <Button onClick={() => setDialog('settle')}>
          <CheckCheck />
          {t('outbox.settlingAll.open', { count })}
        </Button>
      )}
      {mayVoid && refusals.length === count && (
        <Button variant="dangerQuiet" onClick={() => setDialog('void')}>
          <CircleSlash />
          {t('outbox.voiding.all', { count })}
        </Button>
      )}
      <Suspense fallback={null}>
        {(dialog === 'approve' || dialog === 'settle') && (
          <SettleDialog
            action={dialog}
            items={items.toSorted((a, b) => a.id - b.id)}
            sentence={sentence}
            onClose={close}
          />
        )}
      </Suspense>
      {dialog === 'void' && (
        <VoidForm open count={count} onVoid={voidAll} onClose={close}>
          <chakra.p fontWeight="medium">{sentence}</chakra.p>
          {paid && <Banner tone="due">{t('outbox.voiding.money', { amount: paid.amount })}</Banner>}
        </VoidForm>
      )}
    </>
  );
}
