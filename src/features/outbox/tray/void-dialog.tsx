import { chakra, Flex } from '@chakra-ui/react';
import { useLiveQuery } from '#src/local-data/live.ts';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor } from '#domain/money.ts';
import { useWriteContext } from '#src/sync/use-write-context.ts';
import { db } from '#src/local-data/database.ts';
import { voidRefused } from '#src/db/commands/tray.ts';
import { dependantsOf } from '#src/db/dependants.ts';
import { MoneyText } from '#src/formats/money.tsx';
import { Banner } from '#src/ui/banner.tsx';
import { withDetails } from '../entry-details.ts';
import type { DetailedEntry } from '../entry-details.ts';
import { KindIcon } from '../operation-kinds.tsx';
import { VoidForm } from './void-form.tsx';

/** Voids an operation, after showing the dependent operations that are voided with it and the payments among them. */
export function VoidDialog({ entry, onClose }: { entry: DetailedEntry; onClose: () => void }) {
  const { t } = useTranslation();
  const context = useWriteContext();
  const { op_id } = entry.operation;
  const dependants = useLiveQuery(async () => withDetails(db, await dependantsOf(db, op_id)), [op_id]);
  const voided = [entry, ...(dependants ?? [])];
  const paidMinor = voided
    .filter(({ operation }) => operation.kind === 'order.pay')
    .reduce((sum, { amountMinor }) => sum + (amountMinor ?? 0), 0);
  return (
    <VoidForm
      open={dependants !== undefined}
      count={voided.length}
      onVoid={(reason) => voidRefused(context, { opId: op_id, reason })}
      onClose={onClose}
    >
      <Summary entry={entry} />
      {dependants && dependants.length > 0 && (
        <div>
          <chakra.p fontWeight="medium">{t('outbox.voiding.dependants')}</chakra.p>
          {/* Focusable, so that a long list scrolls with the keyboard. */}
          <chakra.ul
            listStyleType="none"
            maxHeight="48"
            overflowY="auto"
            tabIndex={0}
            aria-label={t('outbox.voiding.dependants')}
          >
            {dependants.map((dependant) => (
              <li key={dependant.operation.op_id}>
                <Summary entry={dependant} />
              </li>
            ))}
          </chakra.ul>
        </div>
      )}
      {paidMinor > 0 && (
        <Banner tone="due">
          {t('outbox.voiding.money', { amount: formatMinor(paidMinor, currencyLabel(entry.currency)) })}
        </Banner>
      )}
    </VoidForm>
  );
}

function Summary({ entry }: { entry: DetailedEntry }) {
  const { t } = useTranslation();
  return (
    <Flex align="center" gap="3" py="2" borderBottomWidth="1px" borderColor="border">
      <KindIcon kind={entry.operation.kind} />
      <Flex direction="column" flex="1" minWidth="0">
        <span>{t(`outbox.kinds.${entry.operation.kind}`)}</span>
        <chakra.span fontSize="sm" color="fg.muted" truncate>
          {entry.subject}
        </chakra.span>
      </Flex>
      {entry.amountMinor !== null && (
        <MoneyText minor={entry.amountMinor} currency={entry.currency} fontWeight="medium" />
      )}
    </Flex>
  );
}
