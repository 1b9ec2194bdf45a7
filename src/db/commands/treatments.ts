/** Creating, extending and cancelling treatments. */
import { agreeAddedServices, agreeCancel } from '../../../domain/order/decisions.ts';
import { subtotal } from '../../../domain/order/order.ts';
import type { OrderType } from '../../../domain/order/vocabulary.ts';
import { minorToWire } from '../../../domain/money.ts';
import { accept, refuse } from '../../../domain/result.ts';
import type { Result } from '../../../domain/result.ts';
import { clinicSettings } from '../singletons.ts';
import { commit } from '../write.ts';
import type { Write } from '../write.ts';
import type { CommandContext } from './context.ts';
import { newOrder, openOrder, orderTables, record, save } from './order-draft.ts';
import type { OrderDraft } from './order-draft.ts';
import { agreePlan, linePayload } from './plan.ts';
import type { PlannedService } from './plan.ts';
import { storableText, textLimits } from './storable-text.ts';

export interface NewTreatment {
  orderType: OrderType;
  customerName?: string;
  notes?: string;
  services: PlannedService[];
}

/** A treatment plan becomes a numbered treatment. */
export function createTreatment(
  context: CommandContext,
  treatment: NewTreatment,
): Promise<Result<{ orderId: string; number: string }>> {
  const { db } = context;
  return commit(context, [...orderTables(db), db.catalogue, db.settings], async (write) => {
    const draft = await draftTreatment(write, treatment);
    if (!draft.ok) return draft;
    await save(write, draft.value);
    return accept({ orderId: draft.value.id, number: draft.value.order!.number });
  });
}

/** The part of `createTreatment` that `sellNow` shares: recorded, not yet saved. Needs `catalogue` and `settings`. */
export async function draftTreatment(
  write: Write,
  { orderType, customerName, notes, services }: NewTreatment,
): Promise<Result<OrderDraft>> {
  const [lines, { currency }] = await Promise.all([agreePlan(write, services), clinicSettings(write.db)]);
  if (!lines.ok) return lines;
  const draft = newOrder(write.newId());
  record(write, draft, 'order.create', {
    order_id: draft.id,
    number: write.nextNumber('treatment'),
    order_type: orderType,
    ...optional('customer_name', storableText(customerName, textLimits.name)),
    ...optional('notes', storableText(notes, textLimits.notes)),
    items: lines.value.map(linePayload),
    currency,
    service_charge: 0,
    discount: 0,
    total: minorToWire(subtotal(lines.value)),
  });
  return accept(draft);
}

/** Adds services to a treatment; a paid one opens again with a balance (SYNC-11). */
export function addServices(
  context: CommandContext,
  { orderId, services, notes }: { orderId: string; services: PlannedService[]; notes?: string },
): Promise<Result<{ orderId: string }>> {
  const { db } = context;
  return commit(context, [...orderTables(db), db.catalogue], async (write) => {
    const draft = await openOrder(write, orderId);
    if (!draft?.order) return refuse('ORDER_NOT_FOUND');
    const { order } = draft;
    const lines = await agreePlan(write, services, (requested) => agreeAddedServices(order, requested));
    if (!lines.ok) return lines;
    record(write, draft, 'order.add_services', {
      order_id: orderId,
      items: lines.value.map(linePayload),
      ...optional('notes', storableText(notes, textLimits.notes)),
    });
    await save(write, draft);
    return accept({ orderId });
  });
}

export function cancelTreatment(
  context: CommandContext,
  { orderId, notes }: { orderId: string; notes?: string },
): Promise<Result<{ orderId: string; number: string }>> {
  const { db } = context;
  return commit(context, orderTables(db), async (write) => {
    const draft = await openOrder(write, orderId);
    if (!draft?.order) return refuse('ORDER_NOT_FOUND');
    const agreed = agreeCancel(draft.order);
    if (!agreed.ok) return agreed;
    record(write, draft, 'order.cancel', {
      order_id: orderId,
      status: 'cancelled',
      ...optional('notes', storableText(notes, textLimits.notes)),
    });
    await save(write, draft);
    return accept({ orderId, number: draft.order.number });
  });
}

function optional<K extends string>(key: K, value: string | undefined): { [P in K]?: string } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]: string });
}
