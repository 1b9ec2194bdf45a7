import { chakra, Flex } from '@chakra-ui/react';
import { Cloud, CloudOff, KeyRound, RefreshCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { signInAgain, useSession } from '../../session/session.ts';
import { requestSync } from '../../sync/sync-host.ts';
import { applyUpdate } from '../../sync/worker-state.ts';
import type { OutboxSummary } from '../../db/queries/outbox.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { useRelativeTime } from './use-relative-time.ts';

const icons = { online: Cloud, offline: CloudOff, paused: KeyRound };

/** How long a sync that changes nothing keeps saying that it runs, so that the tap is seen to have done something. */
const shownMs = 800;

/** Whether the server answers, when it last did, and what can be done about it. */
export function ConnectionCard({ summary }: { summary: OutboxSummary }) {
  const { t } = useTranslation();
  const since = useRelativeTime();
  const [asked, setAsked] = useState(false);
  useEffect(() => {
    if (!asked) return;
    const timer = setTimeout(() => setAsked(false), shownMs);
    return () => clearTimeout(timer);
  }, [asked]);
  const syncing = asked || summary.sending > 0;
  const signInNeeded = useSession((session) => session.mode === 'offline') || summary.link === 'paused';
  const Icon = icons[summary.link];
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
        gap="4"
        p="4"
        bg="bg.surface"
        borderWidth="1px"
        borderColor={summary.link === 'online' ? 'border' : 'due.border'}
        borderRadius="md"
      >
        <chakra.span color={summary.link === 'online' ? 'fg.muted' : 'due.fg'} aria-hidden>
          <Icon size={24} />
        </chakra.span>
        <chakra.div flex="1 1 16rem">
          <chakra.p fontWeight="medium">{t(`outbox.link.${summary.link}`)}</chakra.p>
          <chakra.p fontSize="sm" color="fg.muted">
            {summary.lastContactAt === null
              ? t('outbox.neverContact')
              : t('outbox.lastContact', { when: since(summary.lastContactAt) })}
          </chakra.p>
        </chakra.div>
        {signInNeeded ? (
          <Button asChild variant="primary">
            <Link to="/login" state={signInAgain}>
              {t('shell.signIn')}
            </Link>
          </Button>
        ) : (
          <Button
            onClick={() => {
              setAsked(true);
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
