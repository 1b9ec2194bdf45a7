import { chakra, Flex } from '@chakra-ui/react';
import { useLiveQuery } from 'dexie-react-hooks';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor } from '../../../../domain/money.ts';
import { useWriteContext } from '../../../sync/use-write-context.ts';
import { db } from '../../../local-data/database.ts';
import { voidRefused } from '../../../db/commands/tray.ts';
import { dependantsOf } from '../../../db/dependants.ts';
import { MoneyText } from '../../../formats/money.tsx';
import { Banner } from '../../../ui/banner.tsx';
import { withDetails } from '../entry-details.ts';
import type { DetailedEntry } from '../entry-details.ts';
import { KindIcon } from '../kind-icon.tsx';
import { VoidForm } from './void-form.tsx';

/** Shows before it is too late what falls with the operation, and what money it stands for. */
export function VoidDialog({ entry, onClose }: { entry: DetailedEntry; onClose: () => void }) {
  const { t } = useTranslation();
  const context = useWriteContext();
  const { op_id } = entry.operation;
  const dependants = useLiveQuery(async () => withDetails(db, await dependantsOf(db, op_id)), [op_id]);
  const fallen = [entry, ...(dependants ?? [])];
  const takenMinor = fallen
    .filter(({ operation }) => operation.kind === 'order.pay')
    .reduce((sum, { amountMinor }) => sum + (amountMinor ?? 0), 0);
  return (
    <VoidForm
      open={dependants !== undefined}
      count={fallen.length}
      onVoid={(reason) => voidRefused(context, { opId: op_id, reason })}
      onClose={onClose}
    >
      <Summary entry={entry} />
      {dependants && dependants.length > 0 && (
        <div>
          <chakra.p fontWeight="medium">{t('outbox.voiding.dependants')}</chakra.p>
          {/* A long list scrolls by itself, also for those who have no pointer. */}
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
      {takenMinor > 0 && (
        <Banner tone="due">
          {t('outbox.voiding.money', { amount: formatMinor(takenMinor, currencyLabel(entry.currency)) })}
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
