/**
 * Purchase orders and their deliveries. Quantities are thousandths, money is minor units.
 *
 *   draft ──send──▶ sent ──receive a part──▶ partial ──receive the rest──▶ received
 *     │               │                         │                              ▲
 *     └────cancel─────┴──▶ cancelled            └──cancel: give up the rest────┘
 *
 * - Only a draft can be changed, because the vendor has the order once it is sent.
 * - A delivery for a draft also sends the order.
 * - Cancelling closes the order. An order without deliveries becomes `cancelled`; otherwise it becomes `received`, and the
 *   rest is not expected any more.
 * - `received` and `cancelled` are final.
 */
import { isoOf, isoOrNull } from '../instant.ts';
import { minorToWire } from '../money.ts';
import { extend, milliToWire } from '../quantity.ts';
import { accept, refuse } from '../result.ts';
import type { Result } from '../result.ts';
import type { PurchaseDraft } from './drafts.ts';
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
  /** The vendor's numbers of the deliveries that were booked. */
  deliveryNotes: string[];
  lines: PurchaseLine[];
  createdBy: string;
  createdAtMs: number;
  sentAtMs: number | null;
  closedAtMs: number | null;
}

/** A delivery of one line. */
export interface Delivery {
  lineId: number;
  quantityMilli: number;
  /** The actual unit cost; undefined for the agreed one. */
  unitCostMinor?: number | undefined;
  lotNumber?: string | undefined;
  /** YYYY-MM-DD */
  expiresOn?: string | undefined;
}

/** Formats a number such as `PO-000001`. The server counts purchase orders per clinic. */
export const purchaseOrderNumber = (count: number): string => `PO-${String(count).padStart(6, '0')}`;

const isClosed = ({ status }: Pick<PurchaseOrder, 'status'>) => status === 'received' || status === 'cancelled';

export function decideChange({ status }: PurchaseOrder): Result<null> {
  return status === 'draft' ? accept(null) : refuse('PURCHASE_ORDER_NOT_DRAFT', { status });
}

export function decideSend(order: PurchaseOrder): Result<'sent'> {
  const draft = decideChange(order);
  return draft.ok ? accept('sent') : draft;
}

export function decideCancelPurchase(order: PurchaseOrder): Result<'cancelled' | 'received'> {
  if (isClosed(order)) return refuse('PURCHASE_ORDER_CLOSED', { status: order.status });
  return accept(order.lines.some(({ receivedMilli }) => receivedMilli > 0) ? 'received' : 'cancelled');
}

/**
 * Returns the most that can be received for a line in total: a tenth more than ordered, or one unit more. Vendors round up to
 * packages or add free units, and refusing these would make the stock level wrong. A larger surplus is probably a typing
 * mistake.
 */
export function mostReceivable(orderedMilli: number): number {
  return orderedMilli + Math.max(1000, Math.floor(orderedMilli / 10));
}

export interface AgreedDeliveries {
  status: 'partial' | 'received';
  lines: PurchaseLine[];
}

/**
 * Receives deliveries. Several deliveries of one line are parts in different lots.
 *
 * @param today the business day (`YYYY-MM-DD`); lots that expired before it are refused
 * @returns the lines and the status afterwards
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
 * Suggests the quantity to order of a low item: up to twice its threshold and at least one unit, less the quantity on order.
 * Drafts count as on order, so that two drafts don't order the same item twice. Rounded up to the step of the unit; 0 when
 * enough is on order.
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
  return {
    id: order.id,
    po_number: order.number,
    vendor: order.vendor,
    vendor_contact: order.vendorContact,
    status: order.status,
    notes: order.notes,
    delivery_notes: order.deliveryNotes,
    items: order.lines.map(itemResource),
    total: minorToWire(totalMinor),
    created_by: order.createdBy,
    created_at: isoOf(order.createdAtMs),
    sent_at: isoOrNull(order.sentAtMs),
    closed_at: isoOrNull(order.closedAtMs),
  };
}

/**
 * Returns an order as its form shows it: its lines have the fields that the form sends. A renamed item changes no line, and
 * each change of the lines renews their ids.
 */
export const purchaseFormOf = ({ items, ...order }: PurchaseOrderResource) => ({
  ...order,
  items: items.map(({ stock_id, quantity, unit_cost }) => ({ stock_id, quantity, unit_cost })),
});

/** The fields of an order that its form edits. */
export function purchaseDraftOf(order: PurchaseOrderResource): PurchaseDraft {
  const { vendor, vendor_contact, notes, items } = purchaseFormOf(order);
  return { vendor, vendor_contact, notes, items };
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
