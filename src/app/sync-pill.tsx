import { CircleAlert, Cloud, CloudDownload, CloudOff, KeyRound, RefreshCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { OutboxSummary } from '../db/queries/outbox.ts';
import { useSession } from '../session/session.ts';
import { toneVariables } from '../ui/tone.ts';
import { pathOf } from '../navigation/path-of.ts';
import { useAppBadge, useOutboxSummary, useRefusedElsewhere, useUnsentNote } from '../sync/use-outbox-summary.ts';
import styles from './sync-pill.module.css';

export type PillState = 'online' | 'offline' | 'paused' | 'firstSync' | 'syncing' | 'attention';

type Shown = Pick<OutboxSummary, 'firstSyncRows' | 'link' | 'attention' | 'waiting'>;

/**
 * Returns the most urgent state. An unreachable server comes before refused work, which can't be resolved without it.
 */
function pillState(summary: Shown): PillState {
  if (summary.firstSyncRows !== null) return 'firstSync';
  if (summary.link !== 'online') return summary.link;
  if (summary.attention > 0) return 'attention';
  return summary.waiting > 0 ? 'syncing' : 'online';
}

const looks = {
  online: { Icon: Cloud, tone: 'neutral' },
  offline: { Icon: CloudOff, tone: 'due' },
  paused: { Icon: KeyRound, tone: 'due' },
  firstSync: { Icon: CloudDownload, tone: 'accent' },
  syncing: { Icon: RefreshCw, tone: 'accent' },
  attention: { Icon: CircleAlert, tone: 'refused' },
} as const;

/** Sending a sale is usually faster than reading; only states that last longer are shown. */
const settleMs = 400;

function useSettled(state: PillState): PillState {
  const [shown, setShown] = useState(state);
  useEffect(() => {
    const timer = setTimeout(() => setShown(state), state === 'syncing' || state === 'firstSync' ? settleMs : 0);
    return () => clearTimeout(timer);
  }, [state]);
  return shown;
}

/** Without a reply for this long, the state of the last visit is the best that is known. */
const longestSilenceMs = 2000;

/**
 * Returns the summary once it is about now: the database first holds what the last visit knew of the server. A device that has
 * no network at all need not wait for an answer.
 */
function useCurrent(summary: OutboxSummary | undefined): OutboxSummary | undefined {
  const [stored, setStored] = useState<OutboxSummary>();
  const [isCurrent, setCurrent] = useState(false);
  const [isWithoutNetwork] = useState(() => !navigator.onLine);
  if (summary && !stored) setStored(summary);
  const hasHeard =
    stored !== undefined && (summary?.link !== stored.link || summary.lastContactAt !== stored.lastContactAt);
  if (hasHeard && !isCurrent) setCurrent(true);
  useEffect(() => {
    const timer = setTimeout(() => setCurrent(true), longestSilenceMs);
    return () => clearTimeout(timer);
  }, []);
  if (isCurrent || !summary) return summary;
  return isWithoutNetwork ? { ...summary, link: 'offline' } : undefined;
}

/** Shows the state of synchronisation in the header, and links to the outbox. */
export function SyncPill() {
  const stored = useOutboxSummary();
  const summary = useCurrent(stored);
  const elsewhere = useRefusedElsewhere();
  useAppBadge(stored);
  useUnsentNote(stored);
  return summary ? (
    <Pill summary={{ ...summary, attention: summary.attention + elsewhere }} />
  ) : (
    // Keeps the place of the usual state.
    <span className={styles['unknown']}>
      <Pill summary={unknown} />
    </span>
  );
}

const unknown: Shown = { firstSyncRows: null, link: 'online', attention: 0, waiting: 0 };

function Pill({ summary }: { summary: Shown }) {
  const { t } = useTranslation();
  const role = useSession((session) => session.user?.role);
  const state = useSettled(pillState(summary));
  const { Icon, tone } = looks[state];
  const count =
    { attention: summary.attention, firstSync: summary.firstSyncRows ?? 0 }[state as string] ?? summary.waiting;
  const text = t(`sync.${state}`, { count });
  return (
    <output className={styles['slot']} data-sending={t('sync.syncing', { count: 9 })}>
      <Link
        to={pathOf(role ?? 'counter', 'outbox')}
        className={styles['link']}
        aria-label={t('sync.open', { state: text })}
      >
        <span className={styles['pill']} data-tone={tone} style={toneVariables(tone)}>
          <Icon size={16} aria-hidden />
          {text}
        </span>
      </Link>
    </output>
  );
}
