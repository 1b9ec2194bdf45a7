/**
 * Purchase orders: what is ordered from a vendor, and what came of it. Quantities are thousandths, money minor units.
 *
 *   draft ──send──▶ sent ──receive a part──▶ partial ──receive the rest──▶ received
 *     │               │                         │                              ▲
 *     └────cancel─────┴──▶ cancelled            └──cancel: give up the rest────┘
 *
 * - Only a draft may be changed: from `sent` on the vendor has it on paper.
 * - A delivery proves that its order was given, so goods that arrive for a draft send it.
 * - Cancelling gives up what has not come. Where nothing came, the order is cancelled; what did come stays received, and
 *   the order is closed short.
 * - `received` and `cancelled` are closed and stay so.
 */
import { minorToWire } from '../money.ts';
import { extend, milliToWire } from '../quantity.ts';
import { accept, refuse } from '../result.ts';
import type { Result } from '../result.ts';
import type { PurchaseOrderResource, PurchaseOrderItemResource } from './resources.ts';
import type { PurchaseOrderStatus } from './vocabulary.ts';
import { stepMilli } from './vocabulary.ts';

export interface PurchaseLine {
  id: number;
  stockId: number;
  name: string;
  unit: string;
  tracksLots: boolean;
  quantityMilli: number;
  receivedMilli: number;
  unitCostMinor: number;
}

export interface PurchaseOrder {
  id: number;
  number: string;
  vendor: string;
  vendorContact: string;
  status: PurchaseOrderStatus;
  notes: string;
  lines: PurchaseLine[];
  createdBy: string;
  createdAtMs: number;
  sentAtMs: number | null;
  closedAtMs: number | null;
}

/** What of one line was delivered. */
export interface Delivery {
  lineId: number;
  quantityMilli: number;
  /** What a unit really cost; undefined: what was agreed. */
  unitCostMinor?: number | undefined;
  lotNumber?: string | undefined;
  /** YYYY-MM-DD */
  expiresOn?: string | undefined;
}

/** `PO-000001`: counted per clinic by the server, which alone writes purchase orders. */
export const purchaseOrderNumber = (count: number): string => `PO-${String(count).padStart(6, '0')}`;

const isClosed = ({ status }: Pick<PurchaseOrder, 'status'>) => status === 'received' || status === 'cancelled';

export function decideChange({ status }: PurchaseOrder): Result<null> {
  return status === 'draft' ? accept(null) : refuse('PURCHASE_ORDER_NOT_DRAFT', { status });
}

export function decideSend(order: PurchaseOrder): Result<'sent'> {
  const draft = decideChange(order);
  return draft.ok ? accept('sent') : draft;
}

/** Gives up what has not come. */
export function decideCancelPurchase(order: PurchaseOrder): Result<'cancelled' | 'received'> {
  if (isClosed(order)) return refuse('PURCHASE_ORDER_CLOSED', { status: order.status });
  return accept(order.lines.some(({ receivedMilli }) => receivedMilli > 0) ? 'received' : 'cancelled');
}

/**
 * How much of a line may arrive in all. Vendors round up to a package or add a free one, and refusing what lies on the
 * shelf would only make the count wrong: so a tenth more than ordered, or one unit, is taken. Beyond that a mistyped
 * quantity is likelier than a gift.
 */
export function mostReceivable(orderedMilli: number): number {
  return orderedMilli + Math.max(1000, Math.floor(orderedMilli / 10));
}

export interface AgreedDeliveries {
  status: 'partial' | 'received';
  lines: PurchaseLine[];
}

/**
 * Takes deliveries in; several of one line are the parts of it that came in different lots.
 *
 * @param today the business day (`YYYY-MM-DD`): what has expired by then is not taken in
 * @returns the lines afterwards, and where the order stands then
 */
export function decideDeliveries(
  order: PurchaseOrder,
  deliveries: readonly Delivery[],
  today: string,
): Result<AgreedDeliveries> {
  if (isClosed(order)) return refuse('PURCHASE_ORDER_CLOSED', { status: order.status });
  const lines = new Map(order.lines.map((line) => [line.id, line]));
  for (const { lineId, quantityMilli, lotNumber, expiresOn } of deliveries) {
    const line = lines.get(lineId);
    if (!line) return refuse('PURCHASE_ITEM_NOT_FOUND', { item_id: lineId });
    if (line.tracksLots && (!lotNumber?.trim() || !expiresOn)) return refuse('LOT_REQUIRED', { name: line.name });
    if (expiresOn && expiresOn < today) return refuse('LOT_EXPIRED', { name: line.name, expires_on: expiresOn });
    const receivedMilli = line.receivedMilli + quantityMilli;
    if (receivedMilli > mostReceivable(line.quantityMilli)) {
      const most = milliToWire(mostReceivable(line.quantityMilli) - line.receivedMilli);
      return refuse('DELIVERY_EXCEEDS_ORDER', { name: line.name, ordered: milliToWire(line.quantityMilli), most });
    }
    lines.set(lineId, { ...line, receivedMilli });
  }
  const after = order.lines.map(({ id }) => lines.get(id)!);
  const isComplete = after.every(({ quantityMilli, receivedMilli }) => receivedMilli >= quantityMilli);
  return accept({ status: isComplete ? 'received' : 'partial', lines: after });
}

/**
 * How much of an item that is low or out to order: what fills it up to twice its threshold, and to one unit at least, less
 * what is on order — in a draft too, or whoever writes two drafts orders twice. Rounded up to the step of its unit; 0
 * where enough is on its way.
 */
export function suggestedMilli(item: {
  unit: string;
  quantityMilli: number;
  thresholdMilli: number;
  onOrderMilli: number;
}): number {
  const target = Math.max(2 * item.thresholdMilli, 1000);
  const missing = Math.max(0, target - item.quantityMilli - item.onOrderMilli);
  const step = stepMilli(item.unit);
  return Math.ceil(missing / step) * step;
}

export function purchaseOrderResource(order: PurchaseOrder): PurchaseOrderResource {
  const totalMinor = order.lines.reduce((sum, line) => sum + extend(line.quantityMilli, line.unitCostMinor), 0);
  const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  return {
    id: order.id,
    po_number: order.number,
    vendor: order.vendor,
    vendor_contact: order.vendorContact,
    status: order.status,
    notes: order.notes,
    items: order.lines.map(itemResource),
    total: minorToWire(totalMinor),
    created_by: order.createdBy,
    created_at: iso(order.createdAtMs)!,
    sent_at: iso(order.sentAtMs),
    closed_at: iso(order.closedAtMs),
  };
}

function itemResource(line: PurchaseLine): PurchaseOrderItemResource {
  return {
    id: line.id,
    stock_id: line.stockId,
    name: line.name,
    unit: line.unit,
    tracks_lots: line.tracksLots,
    quantity: milliToWire(line.quantityMilli),
    received_quantity: milliToWire(line.receivedMilli),
    unit_cost: minorToWire(line.unitCostMinor),
    total: minorToWire(extend(line.quantityMilli, line.unitCostMinor)),
  };
}
