import type { AuditAction } from './actions.ts';

/** One deed as the audit page shows it. */
export interface AuditResource {
  id: string;
  /** When it was done (ISO 8601), not when the server heard of it. */
  at: string;
  action: AuditAction;
  /** Null: nobody who was signed in. */
  person: { id: number; name: string } | null;
  /** Null: at no enrolled device. */
  device: { id: number; code: string; name: string } | null;
  /** What it was done to, in the clinic's own names: a treatment's number, a supply; empty where that would name a patient. */
  subject: string;
  details: Record<string, string | number>;
}

export interface AuditPage {
  data: AuditResource[];
  /** Where the next older page begins; null at the end. */
  next: string | null;
}

export interface AuditChoices {
  people: { id: number; name: string }[];
  devices: { id: number; code: string; name: string }[];
}
