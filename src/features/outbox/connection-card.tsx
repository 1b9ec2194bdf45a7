import { chakra, Flex } from '@chakra-ui/react';
import { Cloud, CloudOff, KeyRound, RefreshCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { signInAgain, useSession } from '#src/session/session.ts';
import { requestSync } from '#src/sync/sync-host.ts';
import { applyUpdate } from '#src/sync/worker-state.ts';
import type { OutboxSummary } from '#src/db/queries/outbox.ts';
import { sendsWhileClosed } from '#src/db/worker-messages.ts';
import { Banner } from '#src/ui/banner.tsx';
import { Button, buttonClass } from '#src/ui/button.tsx';
import { useRelativeTime } from './use-relative-time.ts';

const icons = { online: Cloud, offline: CloudOff, paused: KeyRound };

/** Shortest time that a requested sync shows as running, so that the person sees the effect of the tap. */
const minSyncingMs = 800;

export function ConnectionCard({ summary }: { summary: OutboxSummary }) {
  const { t } = useTranslation();
  const relativeTime = useRelativeTime();
  const [requested, setRequested] = useState(false);
  useEffect(() => {
    if (!requested) return;
    const timer = setTimeout(() => setRequested(false), minSyncingMs);
    return () => clearTimeout(timer);
  }, [requested]);
  const syncing = requested || summary.sending > 0;
  const signInNeeded = useSession((session) => session.mode === 'offline') || summary.link === 'paused';
  const Icon = icons[summary.link];
  // What is saved here is of no concern where all has been sent.
  const isIdle = summary.waiting + summary.sending + summary.attention === 0;
  const link = summary.link === 'offline' && isIdle ? 'offlineIdle' : summary.link;
  return (
    <>
      {summary.updateNeeded && (
        <Banner
          tone="due"
          actions={
            <Button variant="primary" onClick={applyUpdate}>
              {t('app.update.apply')}
            </Button>
          }
        >
          {t('app.update.needed')}
        </Banner>
      )}
      <Flex
        align="center"
        wrap="wrap"
        columnGap="3"
        rowGap="2"
        ps="4"
        pe="2"
        py="2"
        bg="bg.surface"
        borderWidth="1px"
        borderColor={summary.link === 'online' ? 'border' : 'due.border'}
        borderRadius="md"
      >
        <chakra.span color={summary.link === 'online' ? 'fg.muted' : 'due.fg'} aria-hidden>
          <Icon size={20} />
        </chakra.span>
        <chakra.div
          flex={link === 'offline' || link === 'paused' ? '1 1 14rem' : '1 1 8rem'}
          minWidth="0"
          lineHeight="1.4"
        >
          <chakra.p fontWeight="medium">{t(`outbox.link.${link}`)}</chakra.p>
          {link === 'offline' && !sendsWhileClosed() && <chakra.p>{t('outbox.keepOpen')}</chakra.p>}
          <chakra.p fontSize="sm" color="fg.muted">
            {summary.lastContactAt === null
              ? t('outbox.neverContact')
              : t('outbox.lastContact', { when: relativeTime(summary.lastContactAt) })}
          </chakra.p>
        </chakra.div>
        {signInNeeded ? (
          <Link to="/login" state={signInAgain} className={buttonClass({ variant: 'primary' })}>
            {t('shell.signIn')}
          </Link>
        ) : (
          <Button
            onClick={() => {
              setRequested(true);
              requestSync('asked');
            }}
            disabled={syncing}
          >
            <RefreshCw />
            {t(syncing ? 'outbox.syncing' : 'outbox.syncNow')}
          </Button>
        )}
      </Flex>
    </>
  );
}
