import { chakra, Flex } from '@chakra-ui/react';
import { useLiveQuery } from '#src/local-data/live.ts';
import { CircleSlash } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { db } from '#src/local-data/database.ts';
import { userNames, voidedEntries } from '#src/db/queries/tray.ts';
import { MoneyText } from '#src/formats/money.tsx';
import { Badge } from '#src/ui/badge.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { withDetails } from './entry-details.ts';
import { KindIcon } from './operation-kinds.tsx';
import { useMoment } from '#src/formats/use-formats.ts';

/** More than a clinic voids in the month for which voided operations are kept. */
const limit = 100;

/** Lists voided operations. They stay visible because their numbers are never used again. */
export function VoidedList() {
  const { t } = useTranslation();
  const moment = useMoment();
  const entries = useLiveQuery(async () => withDetails(db, await voidedEntries(db, { limit })), []);
  const names = useLiveQuery(() => userNames(db), []);
  if (!entries) return null;
  if (entries.length === 0) {
    return <EmptyState icon={<CircleSlash />} title={t('outbox.voided.empty')} text={t('outbox.voided.emptyText')} />;
  }
  return (
    <section aria-labelledby="outbox-voided">
      <chakra.h2 id="outbox-voided" fontSize="lg" fontWeight="semibold">
        {t('outbox.voided.title')}
      </chakra.h2>
      <chakra.p color="fg.muted" fontSize="sm">
        {t('outbox.voided.text')}
      </chakra.p>
      <chakra.ul listStyleType="none" mt="2">
        {entries.map(({ operation, state, voidOperation, subject, amountMinor, currency }) => (
          <chakra.li key={operation.op_id} display="flex" gap="3" py="3" borderBottomWidth="1px" borderColor="border">
            <chakra.span color="fg.muted" mt="0.5">
              <KindIcon kind={operation.kind} />
            </chakra.span>
            <Flex direction="column" flex="1" minWidth="0" gap="0.5">
              <Flex justify="space-between" gap="3">
                <chakra.span fontWeight="medium">
                  {t(`outbox.kinds.${operation.kind}`)}
                  {subject && (
                    <>
                      {' · '}
                      <chakra.span whiteSpace="nowrap">{subject}</chakra.span>
                    </>
                  )}
                </chakra.span>
                {amountMinor !== null && (
                  <MoneyText minor={amountMinor} currency={currency} textDecoration="line-through" color="fg.muted" />
                )}
              </Flex>
              <chakra.p overflowWrap="anywhere">
                {voidOperation
                  ? t('outbox.voided.reason', { reason: voidOperation.payload.reason })
                  : t('outbox.voided.elsewhere')}
              </chakra.p>
              <Flex
                align="center"
                justify="space-between"
                gap="3"
                fontSize="sm"
                color="fg.muted"
                fontVariantNumeric="tabular-nums"
              >
                <span>
                  {[
                    voidOperation &&
                      (names?.get(voidOperation.actor_id) ?? t('outbox.attention.by', { id: voidOperation.actor_id })),
                    moment(state.voided_at ?? state.changed_at),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
                <Badge tone={voidOperation && !voidOperation.isSent ? 'low' : 'neutral'}>
                  {t(voidOperation && !voidOperation.isSent ? 'outbox.voided.unsent' : 'outbox.voided.sent')}
                </Badge>
              </Flex>
            </Flex>
          </chakra.li>
        ))}
      </chakra.ul>
    </section>
  );
}
