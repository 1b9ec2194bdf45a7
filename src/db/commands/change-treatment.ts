/** Changes an open treatment: its lines, its room, its patient. */
import { decideChange, decideChanged } from '../../../domain/order/decisions.ts';
import { linePayload } from '../../../domain/order/operations.ts';
import type { ChangePayload } from '../../../domain/order/operations.ts';
import { milliFromWire } from '../../../domain/quantity.ts';
import { accept, refuse } from '../../../domain/result.ts';
import type { Result } from '../../../domain/result.ts';
import { commit } from '../write.ts';
import type { CommandContext } from './context.ts';
import { openOrder, orderTables, record, save } from './order-draft.ts';
import { patientPayload, savePatient } from './patients.ts';
import type { PlannedPatient } from './patients.ts';
import { storableText, textLimits } from './storable-text.ts';

/** What changes; what is absent stays as it is. */
export interface TreatmentChange {
  orderId: string;
  /** The ids of lines to take away. */
  removed?: readonly string[];
  /** New quantities by line. */
  quantities?: ReadonlyMap<string, number>;
  /** Null for no room. */
  room?: { id: number; number: string } | null | undefined;
  /** Null for no patient. */
  patient?: PlannedPatient | null | undefined;
  /** A name without a patient's record. */
  customerName?: string | undefined;
}

export function changeTreatment(
  context: CommandContext,
  { orderId, removed = [], quantities = new Map(), room, patient: planned, customerName }: TreatmentChange,
): Promise<Result<{ orderId: string }>> {
  const { db } = context;
  return commit(context, [...orderTables(db), db.patients], async (write) => {
    const draft = await openOrder(write, orderId);
    if (!draft?.order) return refuse('ORDER_NOT_FOUND');
    const replacements = [...quantities].map(([replaces, quantity]) => ({
      lineId: write.newId(),
      replaces,
      quantityMilli: milliFromWire(quantity),
    }));
    const agreed = decideChange(draft.order, { removedIds: removed, replacements });
    if (!agreed.ok) return agreed;
    const patient = planned ? patientPayload(planned) : undefined;
    if (patient) savePatient(write, patient);
    const payload: ChangePayload = {
      order_id: orderId,
      ...(removed.length > 0 && { removed_line_ids: [...removed] }),
      ...(agreed.value.length > 0 && {
        replaced_items: agreed.value.map((line) => ({ ...linePayload(line), replaces: line.replaces })),
      }),
      ...(room !== undefined && (room ? { room_id: room.id, room_number: room.number } : { room_id: null })),
      ...((planned !== undefined || customerName !== undefined) && {
        customer_name: patient?.name ?? storableText(customerName, textLimits.name) ?? '',
      }),
      ...(patient && { patient }),
    };
    const decision = decideChanged(record(write, draft, 'order.change', payload));
    if (!decision.ok) return decision;
    save(write, draft);
    return accept({ orderId });
  });
}
