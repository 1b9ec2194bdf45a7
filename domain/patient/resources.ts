/** Patients on the wire; `order/past-treatments.ts` has their treatments. */
import type { Recipient } from '../tax/document.ts';

/** `GET /patients` and the change feed. */
export interface PatientResource {
  id: string;
  name: string;
  phone: string;
  /** Who received the last full invoice of one of the patient's treatments. */
  recipient?: Recipient;
  /** When the patient was erased (ISO 8601); name and phone are then empty. Absent for others. */
  erased_at?: string;
}
