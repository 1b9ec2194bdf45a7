/**
 * Compares what the tax agency was told with what was handed out and with the server's chains, over all clinics of a
 * taxpayer: each record arrived once, in the order of its chain, and whatever the agency did not take was told to a manager.
 */
import type { ReceivedRecord, TaxAgency } from '#tests/support/tax-agency.ts';
import type { FinalState, RecordRow, SendingRow, SettledRun } from './final-state.ts';
import { groupBy, lastReceipt } from './final-state.ts';

/** A break of a chain, and a number that two documents have: the agency sees them as the server does. */
const ofBreaks = /does not follow the chain|another hash under a known number/;

type History = Pick<SettledRun, 'wasRestored'>;

export function checkAgency(finals: readonly FinalState[], agency: TaxAgency, history: History): string[] {
  const told = new Map(agency.records.map((record) => [record.hash, record]));
  return [
    ...checkManners(finals, agency, history),
    ...checkOnce(agency),
    ...finals.flatMap((final) => checkFirsts(final, agency, history)),
    ...finals.flatMap((final) => checkSendings(final, told, history)),
    ...finals.flatMap((final) => checkPrinted(final, agency)),
    ...checkOrphans(finals, agency, history),
  ];
}

/** Only copies of one storage, a server that has forgotten records, or a document that was given up, may break a chain or repeat a number. */
const mayBreak = (finals: readonly FinalState[], { wasRestored }: History): boolean =>
  wasRestored ||
  finals.some(
    ({ server, tablets }) => annulledNumbers(server).size > 0 || tablets.some(({ tablet }) => tablet.isClone),
  );

/** A careful sender keeps the form, the pace and the order. */
function checkManners(finals: readonly FinalState[], { faults }: TaxAgency, history: History): string[] {
  const isExcused = (fault: string) => mayBreak(finals, history) && ofBreaks.test(fault);
  return faults.filter((fault) => !isExcused(fault)).map((fault) => `the agency complains: ${fault}`);
}

/** No number is accepted twice. */
function checkOnce({ records }: TaxAgency): string[] {
  return [...groupBy(records, ({ issuer, type, number }) => `${type} ${issuer} ${number}`)].flatMap(([name, same]) =>
    same.length === 1 ? [] : [`the agency accepted ${name} ${same.length} times`],
  );
}

/** The agency's number for a first record of a chain that it knows already. */
const secondFirst = 2007;

/**
 * Only copies of one storage begin a chain twice. After a restore a tablet may send its first record again once a newer one is with the
 * agency; the two are then never in one call.
 */
function checkFirsts({ server, tablets }: FinalState, agency: TaxAgency, { wasRestored }: History): string[] {
  if (tablets.some(({ tablet }) => tablet.isClone)) return [];
  const ids = new Map(server.records.map(({ id, hash }) => [hash, id]));
  return agency.records.flatMap(({ hash, chain, number }, place) => {
    const id = ids.get(hash);
    if (id === undefined || agency.warningOf(hash)?.code !== secondFirst) return [];
    const earlier = agency.records.slice(0, place).filter((other) => other.chain === chain);
    const isLate = earlier.some(
      (other) => (ids.get(other.hash) ?? Infinity) < id && !areTogether(agency, number, other.number),
    );
    return wasRestored && isLate ? [] : [`${number} is another first record of the chain ${chain}`];
  });
}

const areTogether = ({ calls }: TaxAgency, one: string, other: string): boolean =>
  calls.some(({ numbers }) => numbers.includes(one) && numbers.includes(other));

/** Every record ends at the agency or before a manager, who also decides about the documents of those that wait. */
function checkSendings(
  final: FinalState,
  told: ReadonlyMap<string, ReceivedRecord>,
  { wasRestored }: History,
): string[] {
  const { server, tablets } = final;
  const waiting = waitingRecords(final);
  const sendings = new Map(server.sendings.map((row) => [row.record_id, row]));
  const rejected = new Set(
    server.attention.flatMap(({ kind, op_id }) => (kind === 'record_rejected' ? (op_id ?? []) : [])),
  );
  const hasClone = tablets.some(({ tablet }) => tablet.isClone);
  const known = new Set([...told.values()].map(({ number }) => number));
  // What a manager gave up before its document came is held back for good.
  const givenUp = annulledNumbers(server);
  const cancelled = new Set([...told.values()].flatMap(({ type, number }) => (type === 'cancel' ? number : [])));
  return server.records.flatMap((row) => {
    const { number } = row.record.fields;
    const sending = sendings.get(row.id);
    const isThere = told.has(row.hash);
    const label = `the record ${row.record.type} ${number} is ${sending?.held_for ?? sending?.state ?? 'without a state'} after ${sending?.attempts} calls`;
    if (sending?.state === 'not_sent' && givenUp.has(number) && !isThere) return [];
    if (waiting.has(row.id)) return isThere ? [`${label}, but the agency has it`] : [];
    if (!sending || sending.state === 'unsent' || sending.state === 'not_sent') return [label];
    // A restored server cancels a document again, and the agency has the cancellation from before the restore.
    const isCancelled = wasRestored && row.record.type === 'cancel' && cancelled.has(number);
    // A reply to a duplicate does not say whose it is: a copy's number may be the agency's from before the restore.
    const isOfCopy = wasRestored && hasClone && isDuplicate(sending) && known.has(number);
    if (sending.state !== 'rejected')
      return isThere || isCancelled || isOfCopy ? [] : [`${label}, but the agency does not have it`];
    return [
      ...(isThere ? [`${label}, but the agency has it`] : []),
      ...(rejected.has(row.record.document_op_id) ? [] : [`${label}, and no manager was told`]),
    ];
  });
}

/**
 * Returns the records that wait for a person: their documents are not applied yet, or they follow such a record in its chain, or
 * cancel a document whose own record waits.
 */
function waitingRecords({ server, receipts }: FinalState): Set<number> {
  const sendings = new Map(server.sendings.map((row) => [row.record_id, row]));
  const isHeld = ({ id, record }: RecordRow): boolean =>
    sendings.get(id)?.held_for === 'document' && lastReceipt(receipts, record.document_op_id)?.status !== 'applied';
  const chainOf = ({ chain, device_id }: RecordRow): string => `${chain} ${device_id}`;
  const documentOf = ({ record }: RecordRow): string => `${record.document_op_id} ${record.fields.number}`;
  const chains = [...groupBy(server.records, chainOf).values()].map((rows) => rows.toSorted((a, b) => a.id - b.id));
  const behind = (isFirst: (row: RecordRow) => boolean): RecordRow[] =>
    chains.flatMap((rows) => {
      const first = rows.findIndex(isFirst);
      return first < 0 ? [] : rows.slice(first).filter(({ id }) => sendings.get(id)?.state === 'unsent');
    });
  const waiting = behind(isHeld);
  const documents = new Set(waiting.map(documentOf));
  const cancelling = behind((row) => row.record.type === 'cancel' && documents.has(documentOf(row)));
  return new Set([...waiting, ...cancelling].map(({ id }) => id));
}

const isDuplicate = ({ code }: SendingRow): boolean => code === 3000 || code === 3001;

const annulledNumbers = ({ records }: FinalState['server']): Set<string> =>
  new Set(
    records.flatMap(({ record }) =>
      record.type === 'cancel' && record.fields.unregistered ? record.fields.number : [],
    ),
  );

/** Each document that was handed out, and whose record has arrived, is known to the agency once, waits, or a manager is told. */
function checkPrinted(final: FinalState, { records }: TaxAgency): string[] {
  const { applied, server } = final;
  const waiting = waitingRecords(final);
  const isWaiting = ({ seal }: { seal: string }) =>
    server.records.some((row) => row.seal === seal && waiting.has(row.id));
  const issued = groupBy(
    records.filter(({ type }) => type === 'issue'),
    ({ number }) => number,
  );
  const rejected = new Set(
    server.attention.flatMap(({ kind, details }) => (kind === 'record_rejected' ? String(details['number']) : [])),
  );
  const givenUp = annulledNumbers(server);
  return applied.flatMap((operation) => {
    if (operation.kind !== 'fiscal.record') return [];
    const { number } = operation.payload.fields;
    const times = issued.get(number)?.length ?? 0;
    return times === 1 || (times === 0 && (rejected.has(number) || givenUp.has(number) || isWaiting(operation.payload)))
      ? []
      : [`${number} was accepted ${times} times`];
  });
}

/** The agency has nothing that no chain has. After a restore the server's own chain has forgotten records. */
function checkOrphans(finals: readonly FinalState[], { records }: TaxAgency, { wasRestored }: History): string[] {
  const kept = new Set(finals.flatMap(({ server }) => server.records.map(({ hash }: RecordRow) => hash)));
  const own = new Set(
    finals.flatMap(({ server }) => server.records.flatMap(({ device_id, chain }) => (device_id === 0 ? chain : []))),
  );
  return records.flatMap(({ type, number, hash, chain }) => {
    const isForgotten = wasRestored && (type === 'cancel' || own.has(chain.split(' ').at(-1)!));
    return kept.has(hash) || isForgotten ? [] : [`the agency has ${type} ${number}, which no chain has`];
  });
}
