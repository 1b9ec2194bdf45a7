/**
 * Composes what a treatment consists of: turns what a person asks for into a payload, or refuses it. Tablets and the REST
 * path call the same functions, so a treatment is the same wherever it is agreed. What only they have comes as an argument:
 * lines with current prices, the settings, new ids and numbers. Texts are as the payload carries them.
 */
import { minorToWire } from '../money.ts';
import type { PatientPayload } from '../patient/patient.ts';
import { accept, refuse } from '../result.ts';
import type { Result } from '../result.ts';
import type { ClinicSettings } from '../settings/settings.ts';
import { decideAddedServices, decideChange, decideLines } from './decisions.ts';
import type { RequestedLine, RequestedReplacement } from './decisions.ts';
import { decideDiscount } from './discount.ts';
import type { Series } from './numbers.ts';
import { linePayload } from './operations.ts';
import type { AddServicesPayload, ChangePayload, CreatePayload } from './operations.ts';
import { subtotal } from './order.ts';
import type { Order } from './order.ts';
import { restaurantTypes } from './vocabulary.ts';
import type { OrderType } from './vocabulary.ts';

/** A payload, or the series from which it needs the next number. */
export type Composed<Payload> =
  | { series: null; payload: Payload }
  | { series: Series; payload: (number: string) => Payload };

export interface RequestedTreatment {
  orderId: string;
  orderType: OrderType;
  lines: readonly RequestedLine[];
  customerName?: string | undefined;
  patient?: PatientPayload | undefined;
  roomId?: number | undefined;
  roomNumber?: string | undefined;
  notes?: string | undefined;
  discount?: RequestedDiscount | undefined;
  /** Returns the service charge on what is due without it; absent where there is none. */
  chargeOn?: ((dueMinor: number) => number) | undefined;
}

export interface RequestedDiscount {
  /** Returns the amount that is taken off services of this price. */
  minorOf: (subtotalMinor: number) => number;
  reason?: string | undefined;
  /** True when the user, or who approves, may exceed the clinic's limit. */
  mayExceed: boolean;
}

export function composeTreatment(
  { currency, discount_limit_percent: limitPercent }: Pick<ClinicSettings, 'currency' | 'discount_limit_percent'>,
  request: RequestedTreatment,
): Result<Composed<CreatePayload>> {
  const { orderId, orderType, customerName, patient, roomId, roomNumber, notes, discount, chargeOn } = request;
  if (request.lines.length === 0 && restaurantTypes.includes(orderType)) return refuse('ORDER_ITEMS_REQUIRED');
  const lines = decideLines(request.lines);
  if (!lines.ok) return lines;
  const subtotalMinor = subtotal(lines.value);
  const discountMinor = discount?.minorOf(subtotalMinor) ?? 0;
  if (discount) {
    const { mayExceed, reason = '' } = discount;
    const decision = decideDiscount({ discountMinor, subtotalMinor, limitPercent, mayExceed, reason });
    if (!decision.ok) return decision;
  }
  const dueMinor = subtotalMinor - discountMinor;
  const chargeMinor = chargeOn?.(dueMinor) ?? 0;
  return accept({
    series: 'treatment',
    payload: (number) => ({
      order_id: orderId,
      number,
      order_type: orderType,
      ...stated({ customer_name: customerName, patient, room_id: roomId, room_number: roomNumber, notes }),
      items: lines.value.map(linePayload),
      currency,
      service_charge: minorToWire(chargeMinor),
      discount: minorToWire(discountMinor),
      ...stated({ discount_reason: discount?.reason }),
      total: minorToWire(dueMinor + chargeMinor),
    }),
  });
}

export function composeAddedServices(
  order: Order,
  { lines, notes }: Pick<RequestedTreatment, 'lines' | 'notes'>,
): Result<AddServicesPayload> {
  const agreed = decideAddedServices(order, lines);
  if (!agreed.ok) return agreed;
  return accept({ order_id: order.id, items: agreed.value.map(linePayload), ...stated({ notes }) });
}

/** What changes of a treatment; what is absent stays as it is. */
export interface RequestedChanges {
  /** The ids of lines to take away. */
  removedIds?: readonly string[] | undefined;
  replacements?: readonly RequestedReplacement[] | undefined;
  /** Null for no room. */
  roomId?: number | null | undefined;
  roomNumber?: string | undefined;
  /** Empty for nobody. */
  customerName?: string | undefined;
  patient?: PatientPayload | undefined;
}

/** The caller also asks `decideChanged` about the treatment after the change. */
export function composeChange(
  order: Order,
  { removedIds = [], replacements = [], roomId, roomNumber, customerName, patient }: RequestedChanges,
): Result<ChangePayload> {
  const agreed = decideChange(order, { removedIds, replacements });
  if (!agreed.ok) return agreed;
  return accept({
    order_id: order.id,
    ...(removedIds.length > 0 && { removed_line_ids: [...removedIds] }),
    ...(agreed.value.length > 0 && {
      replaced_items: agreed.value.map((line) => ({ ...linePayload(line), replaces: line.replaces })),
    }),
    ...stated({ room_id: roomId, room_number: roomId == null ? undefined : roomNumber }),
    ...stated({ customer_name: customerName, patient }),
  });
}

/** Returns the fields that have a value: a payload leaves out what nobody has stated. */
function stated<Fields extends object>(fields: Fields): { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Fields]?: Exclude<Fields[Key], undefined>;
  };
}
