import { chakra, Flex } from '@chakra-ui/react';
import { useLiveQuery } from '#src/local-data/live.ts';
import { ArrowLeft, Inbox, LifeBuoy } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router-dom';
import { db } from '#src/local-data/database.ts';
import { useOutboxSummary } from '#src/sync/use-outbox-summary.ts';
import { attentionEntries, outboxEntries } from '#src/db/queries/outbox.ts';
import { remoteAttention } from '#src/db/queries/attention.ts';
import { unsentMoney } from '#src/db/queries/tray.ts';
import { clinicSettings } from '#src/db/singletons.ts';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { loadLater } from '#src/ui/load-later.tsx';
import { Segmented } from '#src/ui/segmented.tsx';
import { Skeleton } from '#src/ui/skeleton.tsx';
import { buttonClass } from '#src/ui/button.tsx';
import { StyledButton } from '#src/ui/styled.tsx';
import { withDetails } from './entry-details.ts';
import type { DetailedEntry } from './entry-details.ts';
import { ConnectionCard } from './connection-card.tsx';
import { OutageLog } from './outage-log.tsx';
import { AttentionTray } from './tray/attention-tray.tsx';
import { ServerAttention } from './tray/server-attention.tsx';
import { UnsentPayments } from './unsent-payments.tsx';
import { useMay } from '#src/session/session.ts';
import { VoidedList } from './voided-list.tsx';
import { WaitingList } from './waiting-list.tsx';

const RescueDialog = loadLater(async () => (await import('./rescue/rescue-dialog.tsx')).RescueDialog);

/** More than a clinic does in a week offline. */
const limit = 1000;

const tabs = ['waiting', 'outages', 'voided'] as const;
type Tab = (typeof tabs)[number];

/** What the rescue file is opened for, by `rescue` in the address. */
const rescueModes = ['save', 'import'] as const;

export function OutboxScreen() {
  const { t } = useTranslation();
  const summary = useOutboxSummary();
  const mayReadAttention = useMay('attention.read');
  const [tab, setTab] = useState<Tab>('waiting');
  const [query, setQuery] = useSearchParams();
  const rescue = rescueModes.find((mode) => mode === query.get('rescue'));
  const waiting = useLiveQuery(async () => withDetails(db, await outboxEntries(db, { limit })), []);
  const refused = useLiveQuery(async () => withDetails(db, await attentionEntries(db, { limit })), []);
  const attention = useLiveQuery(async () => (mayReadAttention ? remoteAttention(db) : []), [mayReadAttention]);
  const unsent = useLiveQuery(() => unsentMoney(db), []);
  const currency = useLiveQuery(async () => (await clinicSettings(db)).currency, []) ?? 'EUR';
  const ofClinic = attention && attention.length > 0 && <ServerAttention items={attention} />;
  // What this device still has to send comes first. The order is that of the first look: nothing moves while somebody reads.
  const [isSending, setSending] = useState<boolean | null>(null);
  if (isSending === null && summary) setSending(summary.waiting > 0 || summary.link !== 'online');
  return (
    <Flex direction="column" gap="4" width="full" maxWidth="60rem" mx="auto" px={{ base: '4', md: '8' }} pt="2" pb="12">
      <Flex align="center" gap="1" minHeight="12">
        <chakra.a asChild ms="-3" color="fg.muted">
          <Link
            to="/"
            aria-label={t('outbox.back')}
            title={t('outbox.back')}
            className={buttonClass({ variant: 'quiet' })}
          >
            <ArrowLeft />
          </Link>
        </chakra.a>
        <chakra.div flex="1" minWidth="0">
          <chakra.h1 fontSize="lg" fontWeight="semibold" lineHeight="tight" letterSpacing="tight">
            {t('outbox.title')}
          </chakra.h1>
          <chakra.p color="fg.muted" fontSize="sm" hideBelow="md">
            {t('outbox.intro')}
          </chakra.p>
        </chakra.div>
        <StyledButton
          variant="quiet"
          px="2"
          me="-2"
          color="fg.muted"
          title={t('outbox.rescue.open')}
          onClick={() => setQuery({ rescue: 'save' })}
        >
          <LifeBuoy />
          {/* On a phone its room is the heading's. */}
          <chakra.span srOnly={{ smDown: true }}>{t('outbox.rescue.open')}</chakra.span>
        </StyledButton>
      </Flex>
      {summary && <ConnectionCard summary={summary} />}
      {unsent && unsent.payments > 0 && <UnsentPayments summary={unsent} currency={currency} />}
      {refused && refused.length > 0 && <AttentionTray entries={refused} />}
      {isSending === false && ofClinic}
      <Segmented
        label={t('outbox.tabs.label')}
        panelId="outbox-part"
        value={tab}
        onChange={setTab}
        segments={tabs.map((value) => ({
          value,
          label: t(`outbox.tabs.${value}`),
          count: value === 'waiting' ? summary?.waiting : undefined,
        }))}
      />
      <div id="outbox-part" role="tabpanel" aria-label={t(`outbox.tabs.${tab}`)}>
        {tab === 'waiting' && (
          <WaitingTab entries={waiting} total={summary?.waiting ?? 0} isTrayEmpty={refused?.length === 0} />
        )}
        {tab === 'outages' && <OutageLog currency={currency} />}
        {tab === 'voided' && <VoidedList />}
      </div>
      {isSending && ofClinic}
      <Suspense fallback={null}>
        {rescue && <RescueDialog initialMode={rescue} onClose={() => setQuery({}, { replace: true })} />}
      </Suspense>
    </Flex>
  );
}

interface WaitingTabProps {
  entries: DetailedEntry[] | undefined;
  total: number;
  isTrayEmpty: boolean;
}

function WaitingTab({ entries, total, isTrayEmpty }: WaitingTabProps) {
  const { t } = useTranslation();
  if (!entries) return <Skeleton height="40" />;
  if (entries.length > 0) return <WaitingList entries={entries} unlistedCount={Math.max(0, total - entries.length)} />;
  return (
    <EmptyState
      icon={<Inbox />}
      title={t(isTrayEmpty ? 'outbox.empty.title' : 'outbox.empty.rest')}
      text={t('outbox.empty.text')}
    />
  );
}
