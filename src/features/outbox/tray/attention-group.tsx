import { CheckCheck, ChevronDown, ChevronUp } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AttentionResource } from '#domain/protocol/sync.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { useMay } from '#src/session/session.ts';
import { Button } from '#src/ui/button.tsx';
import { loadLater } from '#src/ui/load-later.tsx';
import { isKnownKind } from '../operation-kinds.tsx';
import { AttentionItem } from './attention-item.tsx';
import { TrayRow } from './tray-row.tsx';

const SettleDialog = loadLater(async () => (await import('./settle-dialog.tsx')).SettleDialog);

/** Items of one kind about one person's work: one row, which settles all of them and shows each on demand. */
export function AttentionGroup({ items }: { items: readonly AttentionResource[] }) {
  const { t } = useTranslation();
  const { quantity } = useClinicFormats();
  const maySettle = useMay('attention.settle');
  const [isOpen, setOpen] = useState(false);
  const [isSettling, setSettling] = useState(false);
  const { kind, op_kind, details } = items[0]!;
  const actor = details['actor'];
  const count = items.length;
  const sentence =
    actor === undefined
      ? t('outbox.elsewhere.alikeUnknown', { count: quantity(count) })
      : t('outbox.elsewhere.alike', { actor, count: quantity(count) });
  const title = t(`outbox.elsewhere.kinds.${kind}`);
  const latest = Math.max(...items.map((item) => Date.parse(String(item.details['occurred_at'] ?? item.created_at))));
  return (
    <>
      <TrayRow
        tone="due"
        kind={op_kind !== null && isKnownKind(op_kind) ? op_kind : null}
        title={title}
        currency=""
        sentence={sentence}
        {...(kind !== 'refused' && { todo: t(`outbox.elsewhere.todo.${kind}`) })}
        details={[]}
        atMs={latest}
      >
        {maySettle && (
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
              ids={items.map(({ id }) => id)}
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
