import { chakra, Flex } from '@chakra-ui/react';
import { Download, RotateCcw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { afterWrite, useWriteContext } from '../../app/commands.ts';
import { retryRefused } from '../../db/commands/tray.ts';
import { MoneyText } from '../../parts/money-text.tsx';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toaster.tsx';
import type { DescribedEntry } from './describe.ts';
import { KindIcon } from './kind-icon.tsx';
import { useRelativeTime } from './relative-time.ts';

/** What the server refused: the reason in a sentence, and what a person can do about it. */
export function AttentionTray({ entries }: { entries: DescribedEntry[] }) {
  const { t } = useTranslation();
  return (
    <chakra.section aria-labelledby="outbox-attention" display="flex" flexDirection="column" gap="3">
      <div>
        <chakra.h2 id="outbox-attention" fontSize="lg" fontWeight="semibold">
          {t('outbox.attention.title')}
        </chakra.h2>
        <chakra.p color="fg.muted" fontSize="sm">
          {t('outbox.attention.text')}
        </chakra.p>
      </div>
      <chakra.ul borderWidth="1px" borderColor="refused.border" borderRadius="md" bg="bg.surface" overflow="hidden">
        {entries.map((entry) => (
          <RefusedEntry key={entry.operation.op_id} entry={entry} />
        ))}
      </chakra.ul>
    </chakra.section>
  );
}

function RefusedEntry({ entry }: { entry: DescribedEntry }) {
  const { t } = useTranslation();
  const since = useRelativeTime();
  const context = useWriteContext();
  const { operation, state, subject, amountMinor, currency } = entry;
  const code = state.last_error?.code ?? 'UNEXPECTED';

  async function retry() {
    const result = await retryRefused(context, operation.op_id);
    if (result.ok) {
      afterWrite();
      toast({ tone: 'success', title: t('outbox.attention.retried') });
    } else {
      toast({ tone: 'error', title: t(`errors.${result.refusal.code}`) });
    }
  }

  return (
    <chakra.li
      display="flex"
      flexDirection={{ base: 'column', md: 'row' }}
      alignItems={{ md: 'center' }}
      gap="4"
      p="4"
      borderColor="border"
      css={{ '&:not(:first-of-type)': { borderTopWidth: '1px' } }}
    >
      <Flex gap="3" flex="1" minWidth="0">
        <chakra.span color="refused.fg" mt="0.5">
          <KindIcon kind={operation.kind} />
        </chakra.span>
        <Flex direction="column" gap="0.5" minWidth="0">
          <chakra.p fontWeight="medium">
            {t(`outbox.kinds.${operation.kind}`)}
            {amountMinor !== null && (
              <>
                {' · '}
                <MoneyText minor={amountMinor} currency={currency} />
              </>
            )}
          </chakra.p>
          <chakra.p color="refused.fg">{t(`errors.${code}`)}</chakra.p>
          <chakra.p fontSize="sm" color="fg.muted">
            {[subject, since(Date.parse(operation.occurred_at))].filter(Boolean).join(' · ')}
          </chakra.p>
        </Flex>
      </Flex>
      <Flex gap="2" wrap="wrap">
        <Button onClick={() => void retry()}>
          <RotateCcw />
          {t('outbox.attention.retry')}
        </Button>
        <Button variant="quiet" onClick={() => exportEntry(entry)}>
          <Download />
          {t('outbox.attention.export')}
        </Button>
      </Flex>
    </chakra.li>
  );
}

/** Hands the operation to the person as a file, with why it was refused: what support needs, and a copy that nobody can lose. */
function exportEntry({ operation, state }: DescribedEntry): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify({ operation, state }, null, 2)], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `operation-${operation.op_id}.json`;
  link.click();
  // The download has begun once the click is over; the address is only needed until then.
  setTimeout(() => URL.revokeObjectURL(url));
}
