import { chakra } from '@chakra-ui/react';
import { CircleSlash } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { fiscalConcerns, isApprovable, isUnsentReason } from '#domain/attention.ts';
import { minorFromWire } from '#domain/money.ts';
import type { ErrorCode } from '#domain/protocol/errors.ts';
import { isVoidable } from '#domain/protocol/operations.ts';
import type { AttentionResource } from '#domain/protocol/sync.ts';
import { useClinicSettings } from '#src/local-data/use-clinic-settings.ts';
import { useWriteContext } from '#src/sync/use-write-context.ts';
import { voidRemote } from '#src/db/commands/tray.ts';
import { pathOf } from '#src/navigation/path-of.ts';
import { useSession } from '#src/session/session.ts';
import { Button, buttonClass } from '#src/ui/button.tsx';
import { isKnownKind } from '../operation-kinds.tsx';
import { voidableRefusal } from './refusal-actions.tsx';
import { useRefusalText } from './refusal-text.ts';
import { ApproveAction, SettleActions } from './settle-actions.tsx';
import { toldAmount } from './told-amount.ts';
import { ExportButton, TrayRow } from './tray-row.tsx';
import { VoidForm } from './void-form.tsx';

/** What keeps a fiscal record from the tax agency, in a clinic that sends any. */
const heldKinds = ['record_differs', 'record_without_document', 'number_foreign'] as const;

interface AttentionItemProps {
  item: AttentionResource;
  /** True where a row above says what happened and what to do. */
  isBelowCause?: boolean;
}

/** An attention item of the server, with what a manager can do about it. */
export function AttentionItem({ item, isBelowCause = false }: AttentionItemProps) {
  const { t } = useTranslation();
  const context = useWriteContext();
  const isSending = useClinicSettings().verifactu_since !== '';
  const role = useSession(({ user }) => user?.role) ?? 'counter';
  const refusalText = useRefusalText();
  const [voiding, setVoiding] = useState(false);
  const { kind, op_kind, details } = item;
  const currency = String(details['currency'] ?? 'EUR');
  const amount = (key: string) => toldAmount(details[key], currency);
  const amountMinor = typeof details['amount'] === 'number' ? minorFromWire(details['amount']) : undefined;
  const actor = String(details['actor'] ?? t('outbox.attention.by', { id: details['actor_id'] ?? '–' }));
  const { reason: told } = details;
  const isRefusal = kind === 'refused';
  const isMoneyCounted = details['payments'] !== undefined || details['refunds'] !== undefined;
  const countedMoney = isMoneyCounted
    ? ` ${t('outbox.elsewhere.countedMoney', {
        payments: details['payments'] ?? 0,
        paid: amount('paid'),
        refunds: details['refunds'] ?? 0,
        refunded: amount('refunded'),
      })}`
    : '';
  const heldKind = isSending ? heldKinds.find((each) => each === kind) : undefined;
  const sentence = isRefusal
    ? refusalText(details['code'] as ErrorCode | undefined, details)
    : t(`outbox.elsewhere.says.${kind}`, {
        surplus: amount('surplus'),
        paid: amount('paid'),
        number: details['number'],
        invoices: details['invoices'],
        services: details['services'],
        actor,
        uploader: details['uploader'],
        discount: amount('discount'),
        limit: details['limit'],
        name: details['name'],
        currency,
        stated: amount('stated'),
        expected: amount('expected'),
        change: amount('change'),
        reason: isUnsentReason(told) ? t(`outbox.elsewhere.reasons.${told}`) : told,
        count: Number(details['count'] ?? details['days'] ?? 0),
        holder: details['holder'],
        day: details['day'],
        lot: details['lot'],
      }) +
      countedMoney +
      (heldKind ? ` ${t(`outbox.elsewhere.held.says.${heldKind}`)}` : '');
  const todo = isRefusal
    ? undefined
    : t(`outbox.elsewhere.todo.${kind}`, { uploader: details['uploader'] }) +
      (heldKind ? ` ${t(`outbox.elsewhere.held.todo.${heldKind}`)}` : '');
  const operationKind = op_kind !== null && isKnownKind(op_kind) ? op_kind : null;
  const title = [t(`outbox.elsewhere.kinds.${kind}`), operationKind && t(`outbox.kinds.${operationKind}`)]
    .filter(Boolean)
    .join(' · ');
  const isPermanent = isRefusal && !isVoidable(op_kind ?? '');
  const refusal = voidableRefusal(item);
  return (
    <TrayRow
      tone="due"
      kind={operationKind}
      title={isBelowCause ? [amount('surplus'), details['number']].filter(Boolean).join(' · ') : title}
      {...(amountMinor !== undefined && { amountMinor })}
      currency={currency}
      sentence={isBelowCause ? '' : sentence}
      {...(todo !== undefined && { todo })}
      details={[
        isBelowCause ? '' : String(details['number'] ?? ''),
        details['actor_id'] === undefined ? '' : actor,
        details['approver'] === undefined ? '' : t('outbox.attention.approvedBy', { name: details['approver'] }),
        details['device'] === undefined ? '' : t('outbox.attention.on', { code: details['device'] }),
      ]}
      atMs={Date.parse(String(details['occurred_at'] ?? item.created_at))}
    >
      {fiscalConcerns.includes(kind) && (
        <Link to={pathOf(role, 'fiscal')} className={buttonClass({})}>
          {t('outbox.elsewhere.toRecords')}
        </Link>
      )}
      {kind === 'simplified_too_large' && (
        <Link
          to={`${pathOf(role, 'counter')}?sales=${encodeURIComponent(String(details['number']))}`}
          className={buttonClass({})}
        >
          {t('counter.sales.open')}
        </Link>
      )}
      {(!isRefusal || isPermanent) && <SettleActions item={item} sentence={sentence} />}
      {isApprovable(item) && <ApproveAction item={item} sentence={sentence} />}
      {isRefusal && <ExportButton content={item} fileName={`attention-${item.id}.json`} />}
      {refusal && (
        <Button variant="dangerQuiet" onClick={() => setVoiding(true)}>
          <CircleSlash />
          {t('outbox.attention.void')}
        </Button>
      )}
      {refusal && voiding && (
        <VoidForm
          open
          count={1}
          onVoid={(reason) => voidRemote(context, { ...refusal, reason })}
          onClose={() => setVoiding(false)}
        >
          <chakra.p fontWeight="medium">
            {[title, details['number'], amountMinor !== undefined && amount('amount')].filter(Boolean).join(' · ')}
          </chakra.p>
        </VoidForm>
      )}
    </TrayRow>
  );
}
