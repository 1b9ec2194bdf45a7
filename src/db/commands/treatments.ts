/** Creating, extending and cancelling treatments. */
import { decideAddedServices, decideCancel } from '../../../domain/order/decisions.ts';
import { decideDiscount, discountOf } from '../../../domain/order/discount.ts';
import type { PlanDiscount } from '../../../domain/order/discount.ts';
import { subtotal } from '../../../domain/order/order.ts';
import type { OrderType } from '../../../domain/order/vocabulary.ts';
import { minorToWire } from '../../../domain/money.ts';
import { accept, refuse } from '../../../domain/result.ts';
import type { Result } from '../../../domain/result.ts';
import { clinicSettings } from '../singletons.ts';
import { commit } from '../write.ts';
import type { CommandContext } from './context.ts';
import { newOrder, openOrder, orderTables, record, save } from './order-draft.ts';
import { keepPatient, patientFact } from './patients.ts';
import type { PlannedPatient } from './patients.ts';
import { decidePlan } from './plan.ts';
import { linePayload } from '../../../domain/order/operations.ts';
import type { PlannedService } from './plan.ts';
import { storableText, textLimits } from './storable-text.ts';

export interface NewTreatment {
  orderType: OrderType;
  customerName?: string;
  /** Whose name takes the place of `customerName`. */
  patient?: PlannedPatient | undefined;
  /** Where it happens, and what the room is called. */
  room?: { id: number; number: string } | undefined;
  notes?: string;
  services: PlannedService[];
  /** `mayExceed`: whether whoever acts may go above the clinic's limit. */
  discount?: (PlanDiscount & { mayExceed: boolean }) | undefined;
}

/** A treatment plan becomes a numbered treatment. */
export function createTreatment(
  context: CommandContext,
  { orderType, customerName, patient: planned, room, notes, services, discount }: NewTreatment,
): Promise<Result<{ orderId: string; number: string }>> {
  const { db } = context;
  return commit(context, [...orderTables(db), db.catalogue, db.settings, db.patients], async (write) => {
    const [lines, settings] = await Promise.all([decidePlan(write, services), clinicSettings(write.db)]);
    if (!lines.ok) return lines;
    const subtotalMinor = subtotal(lines.value);
    const discountMinor = discountOf(discount, subtotalMinor);
    if (discount) {
      const { mayExceed, reason } = discount;
      const agreed = decideDiscount({
        discountMinor,
        subtotalMinor,
        limitPercent: settings.discount_limit_percent,
        mayExceed,
        reason,
      });
      if (!agreed.ok) return agreed;
    }
    const patient = patientFact(planned);
    if (patient) await keepPatient(write, patient);
    const draft = newOrder(write.newId());
    const { number } = record(write, draft, 'order.create', {
      order_id: draft.id,
      number: write.nextNumber('treatment'),
      order_type: orderType,
      ...optional('customer_name', patient?.name ?? storableText(customerName, textLimits.name)),
      ...(patient && { patient }),
      ...(room && { room_id: room.id, room_number: room.number }),
      ...optional('notes', storableText(notes, textLimits.notes)),
      items: lines.value.map(linePayload),
      currency: settings.currency,
      service_charge: 0,
      discount: minorToWire(discountMinor),
      ...optional('discount_reason', storableText(discount?.reason, textLimits.reason)),
      total: minorToWire(subtotalMinor - discountMinor),
    });
    await save(write, draft);
    return accept({ orderId: draft.id, number });
  });
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
    const lines = await decidePlan(write, services, (requested) => decideAddedServices(order, requested));
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
    const agreed = decideCancel(draft.order);
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
