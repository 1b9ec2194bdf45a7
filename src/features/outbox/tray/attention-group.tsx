import { CheckCheck, ChevronDown, ChevronUp } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ErrorCode } from '#domain/protocol/errors.ts';
import type { AttentionResource } from '#domain/protocol/sync.ts';
import { unbroken } from '#src/formats/money.tsx';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { useMay } from '#src/session/session.ts';
import { Button } from '#src/ui/button.tsx';
import { loadLater } from '#src/ui/load-later.tsx';
import { isKnownKind } from '../operation-kinds.tsx';
import { AttentionItem } from './attention-item.tsx';
import type { SharedCause } from './group-items.ts';
import { RefusalActions } from './refusal-actions.tsx';
import { useRefusalText } from './refusal-text.ts';
import { moneyOf } from './told-amount.ts';
import { TrayRow } from './tray-row.tsx';

const SettleDialog = loadLater(async () => (await import('./settle-dialog.tsx')).SettleDialog);

/** Items that one decision serves: one row, which decides all of them and shows each on demand. */
export function AttentionGroup({ items }: { items: readonly AttentionResource[] }) {
  const { t } = useTranslation();
  const maySettle = useMay('attention.settle');
  const [isOpen, setOpen] = useState(false);
  const [isSettling, setSettling] = useState(false);
  const { kind, op_kind } = items[0]!;
  const isOneKind = items.every((item) => item.op_kind === op_kind);
  const count = items.length;
  const isRefusal = kind === 'refused';
  const sentence = useGroupSentence(items);
  const title = t(`outbox.elsewhere.kinds.${kind}`);
  const latest = Math.max(...items.map((item) => Date.parse(String(item.details['occurred_at'] ?? item.created_at))));
  return (
    <>
      <TrayRow
        tone="due"
        kind={!isRefusal && isOneKind && op_kind !== null && isKnownKind(op_kind) ? op_kind : null}
        title={title}
        currency=""
        sentence={sentence}
        {...(!isRefusal && { todo: t(`outbox.elsewhere.todo.${kind}`) })}
        details={[isRefusal ? t('outbox.attention.on', { code: items[0]!.details['device'] }) : '']}
        atMs={latest}
      >
        {isRefusal && <RefusalActions items={items} sentence={sentence} />}
        {!isRefusal && maySettle && (
          <Button onClick={() => setSettling(true)}>
            <CheckCheck />
            {t('outbox.settlingAll.open', { count })}
          </Button>
        )}
        <Button variant="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? <ChevronUp /> : <ChevronDown />}
          {t('outbox.settlingAll.each')}
        </Button>
        <Suspense fallback={null}>
          {isSettling && (
            <SettleDialog
              action="settle"
              items={items}
              sentence={`${title}. ${sentence}`}
              onClose={() => setSettling(false)}
            />
          )}
        </Suspense>
      </TrayRow>
      {isOpen && items.map((item) => <AttentionItem key={item.id} item={item} />)}
    </>
  );
}

/** Items of one cause, each of which is decided alone: what they have in common is said once, above them. */
export function CauseGroup({ cause, items }: { cause: SharedCause; items: readonly AttentionResource[] }) {
  const { t } = useTranslation();
  return (
    <>
      <TrayRow
        tone="due"
        kind={null}
        title={`${t(`outbox.elsewhere.kinds.${cause}`)} · ${items.length}`}
        currency=""
        sentence={t(`outbox.elsewhere.causes.${cause}`)}
        todo={t(`outbox.elsewhere.todo.${cause}`)}
        details={[]}
      />
      {items.map((item) => (
        <AttentionItem key={item.id} item={item} isBelowCause />
      ))}
    </>
  );
}

/** Says whose items they are, how many, and of refusals why and what money is among them. */
function useGroupSentence(items: readonly AttentionResource[]): string {
  const { t } = useTranslation();
  const { quantity } = useClinicFormats();
  const refusalText = useRefusalText();
  const { kind, details } = items[0]!;
  const actor = details['actor'];
  const count = quantity(items.length);
  const whose =
    actor === undefined ? t('outbox.elsewhere.alikeUnknown', { count }) : t('outbox.elsewhere.alike', { actor, count });
  if (kind !== 'refused') return whose;
  // Each names its own fields on demand.
  const why = refusalText(details['code'] as ErrorCode | undefined, {});
  const [paid, refunded] = [moneyOf('order.pay', items), moneyOf('order.refund', items)];
  return [
    whose,
    why,
    paid && t('outbox.elsewhere.paidAmong', { ...paid, amount: unbroken(paid.amount) }),
    refunded && t('outbox.elsewhere.refundedAmong', { ...refunded, amount: unbroken(refunded.amount) }),
  ]
    .filter(Boolean)
    .join(' ');
}
