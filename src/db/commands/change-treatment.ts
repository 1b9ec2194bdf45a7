/** Changes an open treatment: its lines, its room, its patient. */
import { composeChange } from '#domain/order/compose.ts';
import { decideChanged } from '#domain/order/decisions.ts';
import { milliFromWire } from '#domain/quantity.ts';
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import { commit } from '../write.ts';
import type { CommandContext } from './context.ts';
import { openOrder, orderTables, record, save } from './order-draft.ts';
import { patientPayload, savePatient } from './patients.ts';
import type { PlannedPatient } from './patients.ts';
import { textLimits } from '#domain/limits.ts';
import { storableText } from './storable-text.ts';

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
    const patient = planned ? patientPayload(planned) : undefined;
    const isRenamed = planned !== undefined || customerName !== undefined;
    const composed = composeChange(draft.order, {
      removedIds: removed,
      replacements: [...quantities].map(([replaces, quantity]) => ({
        lineId: write.newId(),
        replaces,
        quantityMilli: milliFromWire(quantity),
      })),
      roomId: room && room.id,
      roomNumber: room?.number,
      customerName: isRenamed ? (patient?.name ?? storableText(customerName, textLimits.name) ?? '') : undefined,
      patient,
    });
    if (!composed.ok) return composed;
    if (patient) savePatient(write, patient);
    const decision = decideChanged(record(write, draft, 'order.change', composed.value));
    if (!decision.ok) return decision;
    save(write, draft);
    return accept({ orderId });
  });
}
