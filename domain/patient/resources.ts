/** Patients on the wire; `order/past-treatments.ts` has their treatments. */
import type { Recipient } from '../tax/document.ts';

/** What everybody reads of a patient who may read patients. */
export interface PatientResource {
  id: string;
  name: string;
  phone: string;
  /** When the patient was erased (ISO 8601); all else is then empty. Absent for others. */
  erased_at?: string;
}

/** What only those read who take money and issue invoices. */
export interface PatientDetails {
  email: string;
  /** Notes for the counter. */
  notes: string;
  /** Who receives the full invoices of the patient's treatments. Any of it may be unknown; null if all is. */
  recipient: Recipient | null;
}

/** The details of a patient in the change feed. */
export interface PatientDetailsResource extends PatientDetails {
  id: string;
}

/** `GET /patients` */
export interface FullPatientResource extends PatientResource, PatientDetails {}
