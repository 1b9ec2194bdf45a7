import { chakra } from '@chakra-ui/react';
import { CircleSlash, PenLine, RotateCcw } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isVoidable } from '#domain/protocol/operations.ts';
import { useWriteContext } from '#src/sync/use-write-context.ts';
import { retryRefused } from '#src/db/commands/tray.ts';
import { Button } from '#src/ui/button.tsx';
import { loadLater } from '#src/ui/load-later.tsx';
import { toast } from '#src/ui/toaster.tsx';
import type { DetailedEntry } from '../entry-details.ts';
import { useMay, useSession } from '#src/session/session.ts';
import { canRetryAs } from './can-retry.ts';
import { draftOf, isEmpty } from './correction.ts';
import { useRefusalText } from './refusal-text.ts';
import { ExportButton, TrayRow } from './tray-row.tsx';

const EditDialog = loadLater(async () => (await import('./edit-dialog.tsx')).EditDialog);
const VoidDialog = loadLater(async () => (await import('./void-dialog.tsx')).VoidDialog);

export function AttentionTray({ entries }: { entries: DetailedEntry[] }) {
  const { t } = useTranslation();
  const canVoid = useMay('operation.void');
  return (
    <chakra.section aria-labelledby="outbox-attention" display="flex" flexDirection="column" gap="3">
      <div>
        <chakra.h2 id="outbox-attention" fontSize="lg" fontWeight="semibold">
          {t('outbox.attention.title')}
        </chakra.h2>
        <chakra.p color="fg.muted" fontSize="sm">
          {t('outbox.attention.text')} {!canVoid && t('outbox.attention.managerOnly')}
        </chakra.p>
      </div>
      <chakra.ul
        borderWidth="1px"
        borderColor="refused.border"
        borderRadius="md"
        bg="bg.surface"
        overflow="hidden"
        listStyleType="none"
      >
        {entries.map((entry) => (
          <RefusedEntry key={entry.operation.op_id} entry={entry} canVoid={canVoid} />
        ))}
      </chakra.ul>
    </chakra.section>
  );
}

/** Refusals that editing cannot resolve. */
const uneditable = new Set([
  'FORBIDDEN',
  'PROOF_INVALID',
  'APPROVAL_INVALID',
  'KEY_ENDED',
  'DEVICE_REVOKED',
  'ACTOR_UNKNOWN',
  'ORDER_EXISTS',
  'DRAWER_EXISTS',
  'DRAWER_CLOSED',
  'STOCK_NOT_FOUND',
  'IDEMPOTENCY_MISMATCH',
]);

function RefusedEntry({ entry, canVoid }: { entry: DetailedEntry; canVoid: boolean }) {
  const { t } = useTranslation();
  const context = useWriteContext();
  const refusalText = useRefusalText();
  const [dialog, setDialog] = useState<'edit' | 'void' | null>(null);
  const { operation, state } = entry;
  const { code, details } = state.last_error ?? {};
  const user = useSession((session) => session.user);
  const canRetry = canRetryAs(user, operation, state);
  const canEdit = canRetry && !uneditable.has(code ?? '') && !isEmpty(draftOf(operation, Object.keys(details ?? {})));
  const close = () => setDialog(null);

  async function retry() {
    const result = await retryRefused(context, operation.op_id);
    if (result.ok) toast({ tone: 'success', title: t('outbox.attention.retried') });
    else toast({ tone: 'error', title: t(`errors.${result.refusal.code}`) });
  }

  return (
    <TrayRow
      tone="refused"
      kind={operation.kind}
      title={t(`outbox.kinds.${operation.kind}`)}
      {...(entry.amountMinor !== null && { amountMinor: entry.amountMinor })}
      currency={entry.currency}
      sentence={refusalText(code, details)}
      details={[
        entry.subject,
        entry.actor || t('outbox.attention.by', { id: operation.actor_id }),
        entry.approver && t('outbox.attention.approvedBy', { name: entry.approver }),
      ]}
      atMs={Date.parse(operation.occurred_at)}
    >
      {canEdit && (
        <Button onClick={() => setDialog('edit')}>
          <PenLine />
          {t('outbox.attention.edit')}
        </Button>
      )}
      {canRetry && (
        <Button onClick={() => void retry()}>
          <RotateCcw />
          {t('outbox.attention.retry')}
        </Button>
      )}
      <ExportButton content={{ operation, state }} fileName={`operation-${operation.op_id}.json`} />
      {canVoid && isVoidable(operation.kind) && (
        <Button variant="dangerQuiet" onClick={() => setDialog('void')}>
          <CircleSlash />
          {t('outbox.attention.void')}
        </Button>
      )}
      <Suspense fallback={null}>
        {dialog === 'edit' && <EditDialog entry={entry} onClose={close} />}
        {dialog === 'void' && <VoidDialog entry={entry} onClose={close} />}
      </Suspense>
    </TrayRow>
  );
}
