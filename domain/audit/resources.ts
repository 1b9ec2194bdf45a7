import type { AuditAction } from './actions.ts';

/** One entry of the audit log. */
export interface AuditResource {
  id: string;
  /** When the action took effect (ISO 8601), which may be before the server received it. */
  at: string;
  action: AuditAction;
  /** Null when nobody was signed in. */
  person: { id: number; name: string } | null;
  /** Who approved what the person alone may not do; otherwise null. */
  approver: { id: number; name: string } | null;
  /** Whose session sent the action, when it was not the person's own; otherwise null. */
  uploader: { id: number; name: string } | null;
  /** Null when the action came from no enrolled device. */
  device: { id: number; code: string; name: string } | null;
  /** The changed thing by its number or name; empty where this would name a patient. */
  subject: string;
  details: Record<string, string | number>;
}

export interface AuditPage {
  data: AuditResource[];
  /** The cursor of the next older page; null on the last page. */
  next: string | null;
}

export interface AuditChoices {
  people: { id: number; name: string }[];
  devices: { id: number; code: string; name: string }[];
}
