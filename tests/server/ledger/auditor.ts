/** Audits the database after a week by the rules of ledger, lots and alerts. Each audit returns complaints. */
import { businessDay, daysAfter } from '#domain/business-day.ts';
import type { TestServer } from '#tests/support/server.ts';

interface Row {
  id: number;
  stockId: number;
  type: string;
  isCount: boolean;
  quantityMilli: number;
  effectMilli: number;
  previousMilli: number;
  newMilli: number;
  effectiveMs: number;
  referenceId: string | null;
  lineId: string | null;
}

interface Lot {
  id: number;
  stockId: number;
  expiresOn: string | null;
  receivedMilli: number;
  remainingMilli: number;
  receivedMs: number;
}

interface Move {
  lotId: number;
  rowId: number;
  changeMilli: number;
  orderId: string | null;
  lineId: string | null;
}

interface Alert {
  stockId: number;
  lotId: number | null;
  type: string;
  severity: string;
  status: string;
  resolvedBy: number | null;
  ended: boolean;
}

interface Item {
  id: number;
  quantityMilli: number;
  thresholdMilli: number;
  tracksLots: boolean;
}

export interface Evidence {
  items: Item[];
  rows: Row[];
  lots: Lot[];
  moves: Move[];
  alerts: Alert[];
}

export async function evidence({ database, clinicId }: Pick<TestServer, 'database' | 'clinicId'>): Promise<Evidence> {
  const all = async <T>(select: string, from: string) =>
    (await database.$client.query(`select json_build_object(${select}) as row from ${from}`, [clinicId])).rows.map(
      ({ row }: { row: T }) => row,
    );
  const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::bigint`;
  return {
    items: await all(
      `'id', id, 'quantityMilli', quantity_milli, 'thresholdMilli', low_stock_threshold_milli, 'tracksLots', tracks_lots`,
      'stock_items where clinic_id = $1',
    ),
    rows: await all(
      `'id', id, 'stockId', stock_id, 'type', type, 'isCount', is_count, 'quantityMilli', quantity_milli, 'effectMilli', effect_milli, 'previousMilli', previous_milli,
       'newMilli', new_milli, 'effectiveMs', ${ms('effective_at')}, 'referenceId', reference_id, 'lineId', line_id`,
      'stock_transactions where clinic_id = $1 order by id',
    ),
    lots: await all(
      `'id', id, 'stockId', stock_id, 'expiresOn', expires_on, 'receivedMilli', received_milli, 'remainingMilli', remaining_milli, 'receivedMs', ${ms('received_at')}`,
      'stock_lots where clinic_id = $1',
    ),
    moves: await all(
      `'lotId', lot_id, 'rowId', transaction_id, 'changeMilli', change_milli, 'orderId', order_id, 'lineId', line_id`,
      'stock_lot_movements where clinic_id = $1 order by transaction_id, change_milli',
    ),
    alerts: await all(
      `'stockId', stock_id, 'lotId', lot_id, 'type', type, 'severity', severity, 'status', status, 'resolvedBy', resolved_by, 'ended', ended_at is not null`,
      'stock_alerts where clinic_id = $1 order by id',
    ),
  };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

/** SYNC-10: each row continues the one before, and the quantity is the last count plus the deltas after it. */
export function auditLedger({ items, rows }: Evidence, openingMilli: ReadonlyMap<number, number>): string[] {
  const complaints: string[] = [];
  for (const { id, quantityMilli } of items) {
    const own = rows.filter(({ stockId }) => stockId === id);
    let level = openingMilli.get(id)!;
    for (const row of own) {
      if (row.previousMilli !== level || row.newMilli !== level + row.effectMilli)
        complaints.push(`row ${row.id} does not follow on the one before it`);
      if (!row.isCount && row.effectMilli !== 0 && row.effectMilli !== row.quantityMilli)
        complaints.push(`row ${row.id} has half an effect`);
      level = row.newMilli;
    }
    if (level !== quantityMilli) complaints.push(`item ${id} holds ${quantityMilli}, its rows end at ${level}`);
    const byTime = [...own].sort((a, b) => a.effectiveMs - b.effectiveMs || a.id - b.id);
    const expected = byTime.reduce(
      (total, row) => (row.isCount ? row.quantityMilli : total + row.quantityMilli),
      openingMilli.get(id)!,
    );
    if (expected !== quantityMilli)
      complaints.push(`item ${id} holds ${quantityMilli}, its movements by time say ${expected}`);
  }
  return complaints;
}

/** Replays the rows in the order of writing, and returns what each should have filled or drawn. */
export function auditLots({ items, rows, lots, moves }: Evidence): string[] {
  const complaints: string[] = [];
  const left = new Map(lots.map(({ id }) => [id, 0]));
  for (const row of rows) {
    const own = moves.filter(({ rowId }) => rowId === row.id);
    const isDraw = row.effectMilli < 0 && items.find(({ id }) => id === row.stockId)!.tracksLots;
    let open = isDraw ? -row.effectMilli : 0;
    const expected: string[] = [];
    const inUse = lots.filter((lot) => lot.stockId === row.stockId && left.get(lot.id)! > 0);
    // What is used comes from expired lots last.
    const usedOn = row.type === 'usage' ? businessDay(row.effectiveMs, 'Europe/Madrid') : '';
    const isLast = ({ expiresOn }: Lot) => Number((expiresOn ?? '9999') < usedOn);
    inUse.sort(
      (a, b) =>
        isLast(a) - isLast(b) ||
        (a.expiresOn ?? '9999').localeCompare(b.expiresOn ?? '9999') ||
        a.receivedMs - b.receivedMs ||
        a.id - b.id,
    );
    for (const lot of inUse) {
      const taken = Math.min(open, left.get(lot.id)!);
      if (taken > 0)
        expected.push(`${lot.id} ${-taken} ${row.type === 'usage' ? `${row.referenceId} ${row.lineId}` : 'null null'}`);
      open -= taken;
    }
    const drawn = own
      .filter(({ changeMilli }) => changeMilli < 0)
      .map((move) => `${move.lotId} ${move.changeMilli} ${move.orderId} ${move.lineId}`);
    if (drawn.sort().join() !== expected.sort().join())
      complaints.push(`row ${row.id} drew ${drawn.join() || 'nothing'}, expected ${expected.join() || 'nothing'}`);
    const filled = sum(own.filter(({ changeMilli }) => changeMilli > 0).map(({ changeMilli }) => changeMilli));
    if (filled !== (row.type === 'purchase' ? row.quantityMilli : 0)) complaints.push(`row ${row.id} filled ${filled}`);
    for (const { lotId, changeMilli } of own) left.set(lotId, left.get(lotId)! + changeMilli);
  }
  for (const lot of lots) {
    const own = moves.filter(({ lotId }) => lotId === lot.id).map(({ changeMilli }) => changeMilli);
    const received = sum(own.filter((change) => change > 0));
    if (lot.receivedMilli !== received || lot.remainingMilli !== sum(own) || lot.remainingMilli < 0) {
      complaints.push(
        `lot ${lot.id} has ${lot.remainingMilli} of ${lot.receivedMilli}, its movements say ${sum(own)} of ${received}`,
      );
    }
  }
  return complaints;
}

/** Each item and lot that needs an alert has one open alert, and no other has one. Only a person resolves an open alert. */
export function auditAlerts({ items, lots, alerts }: Evidence, nowMs: number): string[] {
  const today = businessDay(nowMs, 'Europe/Madrid');
  const expected = [
    ...items.flatMap(({ id, quantityMilli, thresholdMilli }) => {
      if (quantityMilli <= 0) return [`${id} null out_of_stock high`];
      return quantityMilli <= thresholdMilli ? [`${id} null low_stock medium`] : [];
    }),
    ...lots
      .filter(
        ({ stockId, remainingMilli, expiresOn }) =>
          items.find(({ id }) => id === stockId)!.tracksLots &&
          remainingMilli > 0 &&
          expiresOn !== null &&
          expiresOn <= daysAfter(today, 30),
      )
      .map(({ id, stockId, expiresOn }) => `${stockId} ${id} expiring_soon ${expiresOn! < today ? 'high' : 'medium'}`),
  ];
  const standing = alerts.filter(({ ended }) => !ended);
  const stands = standing.map(({ stockId, lotId, type, severity }) => `${stockId} ${lotId} ${type} ${severity}`);
  return [
    ...(stands.sort().join() === expected.sort().join()
      ? []
      : [`standing: ${stands.join()}; expected: ${expected.join()}`]),
    ...standing
      .filter(({ status, resolvedBy }) => status === 'resolved' && resolvedBy === null)
      .map(({ stockId }) => `an alert of ${stockId} stands and was resolved by nobody`),
    ...alerts
      .filter(({ status, ended }) => ended && status !== 'resolved')
      .map(({ stockId }) => `an alert of ${stockId} ended and is not resolved`),
  ];
}
