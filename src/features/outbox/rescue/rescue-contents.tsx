import { chakra, Flex } from '@chakra-ui/react';
import { useLiveQuery } from '#src/local-data/live.ts';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor } from '#domain/money.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import type { BatchReply } from '#domain/protocol/sync.ts';
import { authorization, faultOf, publicApi } from '#src/api/client.ts';
import { db } from '#src/local-data/database.ts';
import { requestSync } from '#src/sync/sync-host.ts';
import { summarizeOperation } from '#domain/protocol/operations.ts';
import { clinicSettings } from '#src/db/singletons.ts';
import { useSession } from '#src/session/session.ts';
import { Banner } from '#src/ui/banner.tsx';
import { Button } from '#src/ui/button.tsx';
import { useMoment } from '#src/formats/use-formats.ts';
import type { RescueContent } from './rescue-file.ts';
import { RescueResults } from './rescue-results.tsx';
import { sendRescued } from './send-rescued.ts';
import type { Outcome, Posted, Sent } from './send-rescued.ts';

export function RescueContents({ content, onClose }: { content: RescueContent; onClose: () => void }) {
  const { t } = useTranslation();
  const isOffline = useSession(({ mode }) => mode === 'offline');
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(() => new Map());
  const [running, setRunning] = useState(false);
  const [ended, setEnded] = useState<Sent['ended'] | null>(null);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const operations = content.entries.map(({ operation }) => operation);
  const total = operations.length;
  const statuses = [...outcomes.values()].map(({ status }) => status);
  const isComplete = ended === 'finished' && statuses.every((status) => status === 'applied' || status === 'known');

  async function send() {
    stop.current = new AbortController();
    setRunning(true);
    setEnded(null);
    const sent = await sendRescued({
      operations,
      post: postBatch,
      outcomes,
      onOutcomes: setOutcomes,
      signal: stop.current.signal,
    });
    setRunning(false);
    setEnded(sent.ended);
    requestSync('changes');
  }

  return (
    <Flex direction="column" gap="4">
      <ContentSummary content={content} />
      {isOffline && <Banner tone="due">{t('outbox.rescue.offline')}</Banner>}
      {running && <Progress done={outcomes.size} total={total} />}
      {ended === 'finished' && (
        <Banner
          tone={isComplete ? 'paid' : 'due'}
          title={t(isComplete ? 'outbox.rescue.finished' : 'outbox.rescue.unfinished')}
        >
          {statuses.includes('waiting') && t('outbox.rescue.waitingHint')}
        </Banner>
      )}
      {ended !== null && ended !== 'finished' && <Banner tone="due">{t(`outbox.rescue.${ended}`)}</Banner>}
      {outcomes.size > 0 && !running && <RescueResults entries={content.entries} outcomes={outcomes} />}
      <Flex justify="flex-end" wrap="wrap" gap="2" mt="2">
        {running ? (
          <Button onClick={() => stop.current?.abort()}>{t('outbox.rescue.stop')}</Button>
        ) : (
          <Button onClick={onClose}>{t('outbox.rescue.close')}</Button>
        )}
        {!running && ended !== 'finished' && (
          <Button variant="primary" disabled={isOffline} onClick={() => void send()}>
            {t(ended === null ? 'outbox.rescue.send' : 'outbox.rescue.resume')}
          </Button>
        )}
      </Flex>
    </Flex>
  );
}

function ContentSummary({ content: { device, saved_at, entries } }: { content: RescueContent }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const currency = useLiveQuery(async () => (await clinicSettings(db)).currency, []) ?? 'EUR';
  const payments = entries.flatMap(({ operation }) => {
    const { method, amountMinor } = summarizeOperation(operation);
    return method && amountMinor !== null && amountMinor >= 0 ? amountMinor : [];
  });
  const times = entries.map(({ operation }) => Date.parse(operation.occurred_at)).sort((a, b) => a - b);
  const sum = formatMinor(
    payments.reduce((total, amount) => total + amount, 0),
    currencyLabel(currency),
  );
  const rows = [
    [t('outbox.rescue.content.device'), device.code],
    [t('outbox.rescue.content.savedAt'), moment(saved_at)],
    [t('outbox.rescue.content.operations'), String(entries.length)],
    [t('outbox.rescue.content.payments'), `${payments.length} · ${sum}`],
    [t('outbox.rescue.content.period'), times.length === 0 ? '–' : `${moment(times[0]!)} – ${moment(times.at(-1)!)}`],
  ];
  return (
    <chakra.dl display="grid" gridTemplateColumns="auto 1fr" columnGap="6" rowGap="2" fontVariantNumeric="tabular-nums">
      {rows.map(([name, value]) => (
        <Flex key={name} display="contents">
          <chakra.dt color="fg.muted">{name}</chakra.dt>
          <chakra.dd fontWeight="medium">{value}</chakra.dd>
        </Flex>
      ))}
    </chakra.dl>
  );
}

function Progress({ done, total }: { done: number; total: number }) {
  const { t } = useTranslation();
  const text = t('outbox.rescue.sending', { done, total });
  return (
    <chakra.output display="block">
      <chakra.p mb="2" fontVariantNumeric="tabular-nums">
        {text}
      </chakra.p>
      <chakra.progress
        aria-label={text}
        value={done}
        max={total}
        width="full"
        height="2"
        css={{ accentColor: 'var(--chakra-colors-accent-solid)' }}
      />
    </chakra.output>
  );
}

/**
 * Sends a batch as the signed-in person. An expired session does not sign the person out here, so that the dialog keeps
 * showing which operations were sent.
 */
async function postBatch(operations: AnyOperation[]): Promise<Posted> {
  try {
    const headers = { authorization: await authorization() };
    return {
      ok: true,
      reply: await publicApi.post('sync/batch', { json: { operations }, headers }).json<BatchReply>(),
    };
  } catch (error) {
    const { code } = await faultOf(error);
    if (code === 'SESSION_EXPIRED' || code === 'FORBIDDEN') return { ok: false, fault: 'expired' };
    const isRejected = code === 'VALIDATION' || code === 'BODY_TOO_LARGE' || code === 'MALFORMED_JSON';
    return { ok: false, fault: isRejected ? 'rejected' : 'unreachable' };
  }
}
