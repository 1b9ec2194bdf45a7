/** The cash drawer: opening it, moving money by hand, closing it with a count. Each works without the network. */
import { decideClose, decideMove, decideOpen } from '../../../domain/drawer/decisions.ts';
import type { ByMethod } from '../../../domain/drawer/drawer.ts';
import type { DrawerOperation } from '../../../domain/drawer/operations.ts';
import { drawerAggregate } from '../../../domain/drawer/operations.ts';
import type { PrintedRow } from '../../../domain/printed-row.ts';
import { minorToWire } from '../../../domain/money.ts';
import type { PayloadOf } from '../../../domain/protocol/operations.ts';
import { accept, refuse } from '../../../domain/result.ts';
import type { Result } from '../../../domain/result.ts';
import type { ClinicDatabase, DocumentRow } from '../database.ts';
import { isSettled, statesOf } from '../operation-state.ts';
import { localDrawers } from '../queries/drawers.ts';
import type { LocalDrawer } from '../queries/drawers.ts';
import { commit } from '../write.ts';
import type { Write, WriteContext } from '../write.ts';
import { storableText, textLimits } from './storable-text.ts';

const drawerTables = ({ db }: WriteContext) => [db.drawers, db.verifiers];

export function openDrawer(
  context: WriteContext,
  { floatMinor }: { floatMinor: number },
): Promise<Result<{ drawerId: string }>> {
  return commit(context, drawerTables(context), async (write) => {
    const [drawers, device] = await Promise.all([localDrawers(write.db), write.db.device.get('this')]);
    const agreed = decideOpen(drawers, { deviceId: device?.device_id ?? 0, floatMinor });
    if (!agreed.ok) return agreed;
    await forgetOld(write);
    const drawerId = write.newId();
    await record(write, 'drawer.open', { drawer_id: drawerId, float: minorToWire(floatMinor) });
    return accept({ drawerId });
  });
}

/** As long as the feed tells of a closed drawer. */
const keptMs = 30 * 86_400_000;

async function forgetOld({ db, nowMs }: Write): Promise<void> {
  await db.drawers.filter(({ closed_at }) => closed_at !== null && Date.parse(closed_at) < nowMs - keptMs).delete();
}

export interface MoneyMove {
  drawerId: string;
  direction: PayloadOf['drawer.move']['direction'];
  amountMinor: number;
  reason: string;
}

export function moveMoney(
  context: WriteContext,
  { drawerId, direction, amountMinor, reason }: MoneyMove,
): Promise<Result<{ drawerId: string }>> {
  return onDrawer(context, drawerId, async (write, drawer) => {
    const words = storableText(reason, textLimits.reason) ?? '';
    const agreed = decideMove(drawer, { amountMinor, reason: words });
    if (!agreed.ok) return agreed;
    await record(write, 'drawer.move', {
      drawer_id: drawerId,
      direction,
      amount: minorToWire(amountMinor),
      reason: words,
    });
    return accept({ drawerId });
  });
}

export interface DrawerCount {
  drawerId: string;
  countedMinor: ByMethod;
  notes?: string;
}

export function closeDrawer(
  context: WriteContext,
  { drawerId, countedMinor, notes }: DrawerCount,
): Promise<Result<{ drawerId: string }>> {
  return onDrawer(context, drawerId, async (write, drawer) => {
    const agreed = decideClose(drawer, { counted: countedMinor });
    if (!agreed.ok) return agreed;
    const { cash, card, insurance, others } = countedMinor;
    const stored = storableText(notes, textLimits.notes);
    await record(write, 'drawer.close', {
      drawer_id: drawerId,
      counted: {
        cash: minorToWire(cash),
        card: minorToWire(card),
        insurance: minorToWire(insurance),
        others: minorToWire(others),
      },
      ...(stored !== undefined && { notes: stored }),
    });
    return accept({ drawerId });
  });
}

function onDrawer<T>(
  context: WriteContext,
  drawerId: string,
  work: (write: Write, drawer: LocalDrawer) => Promise<Result<T>>,
): Promise<Result<T>> {
  return commit(context, drawerTables(context), async (write) => {
    const drawer = (await localDrawers(write.db)).find(({ id }) => id === drawerId);
    return drawer ? work(write, drawer) : refuse('DRAWER_NOT_FOUND');
  });
}

export interface ReportContent {
  drawerId: string;
  number: string;
  issuedAtMs: number;
  printed: PrintedRow[];
}

/** Keeps a drawer's report as it is about to be printed. One whose figures have changed takes the place of the last and is no copy of it. */
export function saveDrawerReport(
  db: ClinicDatabase,
  { drawerId, number, issuedAtMs, printed }: ReportContent,
): Promise<DocumentRow> {
  return db.transaction('rw', db.documents, async () => {
    const known = await db.documents.get(drawerId);
    if (known && JSON.stringify(known.printed) === JSON.stringify(printed)) return known;
    const issued_at = new Date(issuedAtMs).toISOString();
    const document: DocumentRow = {
      id: drawerId,
      kind: 'report',
      order_id: drawerId,
      number,
      issued_at,
      printed,
      invoice: null,
      prints: 0,
    };
    await db.documents.put(document);
    return document;
  });
}

/** Each operation on a drawer builds on the one before. */
async function record<K extends DrawerOperation['kind']>(write: Write, kind: K, payload: PayloadOf[K]): Promise<void> {
  const aggregate = drawerAggregate(payload.drawer_id);
  const before = (await statesOf(write.db, aggregate)).findLast((state) => !isSettled(state));
  write.append({ kind, aggregate, payload, dependsOn: before ? [before.op_id] : [] });
}
