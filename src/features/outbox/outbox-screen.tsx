import { chakra, Flex } from '@chakra-ui/react';
import { useLiveQuery } from 'dexie-react-hooks';
import { ArrowLeft, Inbox } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { db } from '../../app/database.ts';
import { useOutboxSummary } from '../../app/use-outbox-summary.ts';
import { attentionEntries, outboxEntries } from '../../db/queries/outbox.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { AttentionTray } from './attention-tray.tsx';
import { describeEntries } from './describe.ts';
import { LinkCard } from './link-card.tsx';
import { WaitingList } from './waiting-list.tsx';

/** More than a clinic does in a week without a network. */
const limit = 1000;

export function OutboxScreen() {
  const { t } = useTranslation();
  const summary = useOutboxSummary();
  const waiting = useLiveQuery(async () => describeEntries(db, await outboxEntries(db, { limit })), []);
  const refused = useLiveQuery(async () => describeEntries(db, await attentionEntries(db, { limit })), []);
  return (
    <Flex direction="column" gap="6" width="full" maxWidth="60rem" mx="auto" px={{ base: '4', md: '8' }} pt="4" pb="12">
      <div>
        <Button asChild variant="quiet" ms="-4" mb="2" color="fg.muted">
          <Link to="/">
            <ArrowLeft />
            {t('outbox.back')}
          </Link>
        </Button>
        <chakra.h1 fontSize="xl" fontWeight="semibold" lineHeight="tight" letterSpacing="tight">
          {t('outbox.title')}
        </chakra.h1>
        <chakra.p color="fg.muted" mt="1">
          {t('outbox.intro')}
        </chakra.p>
      </div>
      {summary && <LinkCard summary={summary} />}
      {refused && refused.length > 0 && <AttentionTray entries={refused} />}
      {!waiting && <Skeleton height="40" />}
      {waiting?.length === 0 && refused?.length === 0 && (
        <EmptyState icon={<Inbox />} title={t('outbox.empty.title')} text={t('outbox.empty.text')} />
      )}
      {waiting && waiting.length > 0 && summary && (
        <WaitingList entries={waiting} unlisted={Math.max(0, summary.waiting - waiting.length)} />
      )}
    </Flex>
  );
}
