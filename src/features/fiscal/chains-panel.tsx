import { chakra, Flex } from '@chakra-ui/react';
import { Link2, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { mostUnrecorded } from '#domain/fiscal/resources.ts';
import type { ChainResource, UnrecordedDocument, Verification } from '#domain/fiscal/resources.ts';
import { formatAmount, minorFromWire } from '#domain/money.ts';
import { CallFailed, api, faultOf, faultText } from '#src/api/client.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { useChains } from '#src/server-data/fiscal.ts';
import { NotLoaded } from '#src/server-data/load-error.tsx';
import { Badge } from '#src/ui/badge.tsx';
import { Banner } from '#src/ui/banner.tsx';
import { Button } from '#src/ui/button.tsx';
import { DataTable } from '#src/ui/data-table.tsx';
import type { Column } from '#src/ui/columns.ts';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { toast } from '#src/ui/toaster.tsx';
import { readPrintedHead } from './printed-head.ts';

/** As many as a Z report prints. */
const headDigits = 16;

/** The chains of the clinic's devices, and their verification. */
export function ChainsPanel() {
  const { t } = useTranslation();
  const chains = useChains();
  const [verified, setVerified] = useState<Verification>();
  const views = useChainViews(verified);
  return (
    <Flex direction="column" gap="4">
      {chains.fault ? (
        <NotLoaded data={chains} />
      ) : (
        <DataTable
          label={t('fiscal.chains.title')}
          {...views}
          tableFrom={52}
          rows={chains.value?.data}
          rowKey={({ chain, device_id }) => `${chain} ${device_id}`}
          skeletonRows={2}
          firstRows={{ desk: 12, cards: 4, showAll: t('fiscal.list.noMatch.showAll') }}
          empty={
            <EmptyState icon={<Link2 />} title={t('fiscal.chains.empty.title')} text={t('fiscal.chains.empty.text')} />
          }
        />
      )}
      {/* After the chains, whose height nobody knows before. */}
      {chains.value && <VerifyForm onVerified={setVerified} />}
      {verified && <Outcome verified={verified} />}
    </Flex>
  );
}

interface ChainViews {
  columns: Column<ChainResource>[];
  card: (row: ChainResource) => ReactNode;
}

function useChainViews(verified: Verification | undefined): ChainViews {
  const { t } = useTranslation();
  const { dateTime } = useClinicFormats();
  const device = ({ chain, device_id, device_name }: ChainResource) => (
    <Flex gap="2" align="baseline" minWidth="0" wrap="wrap">
      <chakra.span fontWeight="medium">{chain}</chakra.span>
      <chakra.span overflowWrap="anywhere">{device_id === 0 ? t('fiscal.chains.server') : device_name}</chakra.span>
    </Flex>
  );
  const head = ({ head: { sequence, seal } }: ChainResource) => (
    <chakra.span fontFamily="mono" fontSize="sm" whiteSpace="nowrap">
      {sequence} · {seal.slice(0, headDigits)}
    </chakra.span>
  );
  const last = ({ head: { number, received_at } }: ChainResource) => (
    <>
      <chakra.span display="block" whiteSpace="nowrap">
        {number}
      </chakra.span>
      <chakra.span display="block" fontSize="sm" color="fg.muted" whiteSpace="nowrap">
        {dateTime(received_at)}
      </chakra.span>
    </>
  );
  const unsent = ({ unsent: count }: ChainResource) => (
    <chakra.span color={count > 0 ? 'due.fg' : 'fg.muted'}>{count}</chakra.span>
  );
  const state = (row: ChainResource) => <ChainState row={row} verified={verified} />;
  return {
    columns: [
      { key: 'device', header: t('fiscal.chains.device'), cell: device },
      { key: 'count', header: t('fiscal.chains.count'), numeric: true, cell: ({ count }) => count },
      { key: 'unsent', header: t('fiscal.sending.unsent'), numeric: true, cell: unsent },
      { key: 'head', header: t('fiscal.chains.head'), cell: head },
      { key: 'last', header: t('fiscal.chains.last'), cell: last },
      { key: 'state', header: t('fiscal.chains.state'), cell: state },
    ],
    card: (row) => (
      <Flex direction="column" gap="2" minWidth="0">
        <Flex justify="space-between" gap="3" align="flex-start">
          {device(row)}
          {state(row)}
        </Flex>
        <div>{head(row)}</div>
        <div>{last(row)}</div>
        <chakra.p fontSize="sm" color="fg.muted">
          {t('fiscal.chains.count')}: {row.count} · {t('fiscal.sending.unsent')}: {row.unsent}
        </chakra.p>
      </Flex>
    ),
  };
}

function ChainState({ row, verified }: { row: ChainResource; verified: Verification | undefined }) {
  const { t } = useTranslation();
  const found = verified?.chains.find(({ chain, device_id }) => chain === row.chain && device_id === row.device_id);
  if (!found) return <Badge>{t('fiscal.chains.unchecked')}</Badge>;
  if (found.faults.length === 0) return <Badge tone="paid">{t('fiscal.chains.intact')}</Badge>;
  return (
    <>
      <Badge tone="refused">{t('fiscal.chains.faults', { count: found.faults.length })}</Badge>
      <chakra.ul listStyleType="none" fontSize="sm" mt="1">
        {found.faults.map(({ sequence, fault }) => (
          <li key={`${sequence} ${fault}`}>{t(`fiscal.chains.fault.${fault}`, { sequence })}</li>
        ))}
      </chakra.ul>
    </>
  );
}

function VerifyForm({ onVerified }: { onVerified: (verified: Verification) => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [isInvalid, setInvalid] = useState(false);
  const [isRunning, setRunning] = useState(false);
  async function verify() {
    const head = readPrintedHead(text);
    setInvalid(text.trim() !== '' && !head);
    if (text.trim() !== '' && !head) return;
    setRunning(true);
    try {
      // A chain of years takes its time.
      const reply = api.get('fiscal/verify', { searchParams: { ...head }, timeout: false });
      const { data } = await reply.json<{ data: Verification }>();
      onVerified(data);
    } catch (thrown) {
      const fault = thrown instanceof CallFailed ? thrown.fault : await faultOf(thrown);
      toast({ tone: 'error', title: t('fiscal.verify.failed'), text: faultText(t, fault) });
    } finally {
      setRunning(false);
    }
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void verify();
      }}
    >
      <chakra.div
        display="grid"
        gridTemplateColumns={{ base: 'minmax(0, 1fr)', md: 'minmax(0, 24rem) auto' }}
        gap="3"
        justifyContent="start"
        alignItems="start"
      >
        <TextField
          label={t('fiscal.verify.head')}
          hint={t('fiscal.verify.headHint')}
          error={isInvalid ? t('fiscal.verify.headInvalid') : undefined}
          autoComplete="off"
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            setInvalid(false);
          }}
        />
        {/* Beside the field, below its label. */}
        <chakra.div pt={{ base: '0', md: '7' }}>
          <Button type="submit" disabled={isRunning}>
            <ShieldCheck />
            {t(isRunning ? 'fiscal.verify.running' : 'fiscal.verify.run')}
          </Button>
        </chakra.div>
      </chakra.div>
    </form>
  );
}

function Outcome({ verified: { chains, unrecorded, contradictions, days, head_found } }: { verified: Verification }) {
  const { t } = useTranslation();
  const areWhole = chains.every(({ faults }) => faults.length === 0);
  const count = chains.reduce((sum, chain) => sum + chain.count, 0);
  return (
    <>
      {head_found === false && (
        <Banner tone="refused" title={t('fiscal.verify.headLost')}>
          {t('fiscal.verify.headLostText')}
        </Banner>
      )}
      {areWhole ? (
        <Banner tone="paid" title={t('fiscal.verify.intact')}>
          {[t('fiscal.verify.intactText', { count }), head_found && t('fiscal.verify.headFound')]
            .filter(Boolean)
            .join(' ')}
        </Banner>
      ) : (
        <Banner tone="refused" title={t('fiscal.verify.broken')}>
          {t('fiscal.verify.brokenText')}
        </Banner>
      )}
      {unrecorded.length > 0 && <Unrecorded documents={unrecorded} />}
      {contradictions.length + days.length > 0 && <Contradictions contradictions={contradictions} days={days} />}
    </>
  );
}

/** A list of these is scrolled within its banner. */
function Unrecorded({ documents }: { documents: readonly UnrecordedDocument[] }) {
  const { t } = useTranslation();
  const { dateTime } = useClinicFormats();
  return (
    <Banner tone="refused" title={t('fiscal.verify.unrecorded', { count: documents.length })}>
      {[
        t('fiscal.verify.unrecordedText'),
        documents.length === mostUnrecorded && t('fiscal.verify.unrecordedFirst', { count: mostUnrecorded }),
      ]
        .filter(Boolean)
        .join(' ')}
      <chakra.ul
        listStyleType="none"
        mt="2"
        maxHeight="16rem"
        overflowY="auto"
        tabIndex={0}
        aria-label={t('fiscal.verify.documents')}
      >
        {documents.map(({ number, order_id, issued_at }) => (
          <li key={`${number} ${order_id}`}>
            {number} · {dateTime(issued_at)}
          </li>
        ))}
      </chakra.ul>
    </Banner>
  );
}

/** What contradicts the records: documents, payments, Z reports, and the answers of the tax agency. */
function Contradictions({ contradictions, days }: Pick<Verification, 'contradictions' | 'days'>) {
  const { t } = useTranslation();
  const { day: dayText } = useClinicFormats();
  const amount = (wire: number) => formatAmount(minorFromWire(wire));
  return (
    <Banner tone="refused" title={t('fiscal.verify.contradictions', { count: contradictions.length + days.length })}>
      {t('fiscal.verify.contradictionsText')}
      <chakra.ul
        listStyleType="none"
        mt="2"
        maxHeight="16rem"
        overflowY="auto"
        tabIndex={0}
        aria-label={t('fiscal.verify.documents')}
      >
        {contradictions.map(({ number, fault }) => (
          <li key={`${number} ${fault}`}>
            {number} · {t(`fiscal.verify.fault.${fault}`)}
          </li>
        ))}
        {days.map(({ day, recorded, reported }) => (
          <li key={day}>
            {t('fiscal.verify.day', { day: dayText(day), recorded: amount(recorded), reported: amount(reported) })}
          </li>
        ))}
      </chakra.ul>
    </Banner>
  );
}
