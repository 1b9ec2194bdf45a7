/** Patients: of a plan, whom the treatment's operation carries to the server, and updates from a patient's page. */
import { patientAggregate } from '#domain/patient/operations.ts';
import type { PatientOperation, UpdatePatientPayload } from '#domain/patient/operations.ts';
import { blankDetails, patientLimits } from '#domain/patient/patient.ts';
import type { PatientPayload, StatedFields } from '#domain/patient/patient.ts';
import type { FullPatientResource, PatientResource } from '#domain/patient/resources.ts';
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import type { Recipient } from '#domain/tax/document.ts';
import { recipientLimits } from '#domain/tax/recipient.ts';
import type { ClinicDatabase } from '../database.ts';
import { isSettled, statesOf } from '../operation-state.ts';
import { viewOfPatient } from '../rebase.ts';
import { detailsRow, patientRow } from '../rows.ts';
import { commit } from '../write.ts';
import type { Write, WriteContext } from '../write.ts';
import { storableText } from './storable-text.ts';

export interface PlannedPatient extends PatientResource {
  /** True when the patient was found by a search and left unchanged. */
  isKnown: boolean;
}

/** Returns the patient as the operation carries it; undefined when the name is empty. */
export function patientPayload(patient: PlannedPatient | undefined): PatientPayload | undefined {
  const name = storableText(patient?.name, patientLimits.name);
  if (!patient || name === undefined) return undefined;
  const phone = storableText(patient.phone, patientLimits.phone) ?? '';
  return { patient_id: patient.id, name, phone, ...(patient.isKnown && { known: true }) };
}

/** Stores a new or changed patient, so that searches on this device find it. Requires a transaction over `patients`. */
export function savePatient(write: Write, { patient_id: id, name, phone = '', known }: PatientPayload): void {
  if (!known) write.put(write.db.patients, { ...patientRow({ id, name, phone }), unsent: 1 });
}

export const recipientTables = (db: ClinicDatabase) => [db.patients, db.patient_details];

/**
 * Remembers whom a full invoice of the patient names, as the server does when the invoice arrives. Requires a transaction over
 * `recipientTables`.
 */
export async function rememberRecipient(
  { db }: Pick<Write, 'db'>,
  patientId: string | null,
  recipient: Recipient,
): Promise<void> {
  if (patientId === null) return;
  const [patient, details] = await Promise.all([db.patients.get(patientId), db.patient_details.get(patientId)]);
  if (patient?.erased_at !== undefined) return;
  const { keys: _keys, base, ...known } = details ?? { ...blankDetails, id: patientId, keys: [] };
  const row = detailsRow({ ...known, recipient });
  await db.patient_details.put(base === undefined ? row : { ...row, base: base && { ...base, recipient } });
}

/** What a patient's page changes; what is absent stays as it is. */
export interface PatientChange extends StatedFields {
  name?: string | undefined;
}

/**
 * Changes a patient, or creates one.
 *
 * @param known the patient as just read from the server, for a device that does not have them; null for a new patient
 */
export function updatePatient(
  context: WriteContext,
  { id, change, known }: { id: string; change: PatientChange; known: FullPatientResource | null },
): Promise<Result<{ id: string }>> {
  const { db } = context;
  return commit(context, [db.patients, db.patient_details], async (write) => {
    const [stored, storedDetails, states] = await Promise.all([
      db.patients.get(id),
      db.patient_details.get(id),
      statesOf(db, patientAggregate(id)),
    ]);
    const named = stored ?? (known ? patientRow(resourceOf(known)) : undefined);
    const detailed = storedDetails ?? (known ? detailsRow(detailsOf(known)) : undefined);
    if (named?.erased_at !== undefined) return refuse('PATIENT_ERASED');
    const payload = updatePayload(id, named, change);
    if (!payload) return refuse('PATIENT_NOT_FOUND');
    const tail = states.findLast((state) => !isSettled(state))?.op_id;
    const dependsOn = tail ? [tail] : [];
    const operation = write.append({ kind: 'patient.update', aggregate: patientAggregate(id), payload, dependsOn });
    // Over the shown rows, which keep the base that they have.
    const view = viewOfPatient(asServers(named), asServers(detailed), [operation as PatientOperation]);
    write.put(db.patients, { ...view.row!, ...(named?.base !== undefined && { base: named.base }) });
    write.put(db.patient_details, { ...view.details!, ...(detailed?.base !== undefined && { base: detailed.base }) });
    return accept({ id });
  });
}

function asServers<Row extends { base?: unknown }>(row: Row | undefined): Row | undefined {
  if (!row) return undefined;
  const { base: _base, ...rest } = row;
  return rest as Row;
}

const resourceOf = ({ email: _email, notes: _notes, recipient: _recipient, ...patient }: FullPatientResource) =>
  patient;
const detailsOf = ({ id, email, notes, recipient }: FullPatientResource) => ({ id, email, notes, recipient });

/** Returns undefined for a new patient without a name. */
function updatePayload(
  id: string,
  known: PatientResource | undefined,
  { name, phone, email, notes, recipient }: PatientChange,
): UpdatePatientPayload | undefined {
  const renamed = storableText(name, patientLimits.name);
  const stored = renamed ?? storableText(known?.name, patientLimits.name);
  if (stored === undefined) return undefined;
  const text = (field: 'phone' | 'email' | 'notes', value: string | undefined) =>
    value !== undefined && { [field]: storableText(value, patientLimits[field]) ?? '' };
  return {
    patient: { patient_id: id, name: stored, ...(renamed === undefined && { known: true }) },
    ...text('phone', phone),
    ...text('email', email),
    ...text('notes', notes),
    ...(recipient !== undefined && { recipient: recipient && storableRecipient(recipient) }),
  };
}

const idLength = 20;
const postalCodeLength = 20;

const storableRecipient = (recipient: Recipient): Recipient => ({
  ...recipient,
  name: storableText(recipient.name, recipientLimits.name) ?? '',
  tax_id: storableText(recipient.tax_id, idLength) ?? '',
  address: storableText(recipient.address, recipientLimits.address) ?? '',
  postal_code: storableText(recipient.postal_code, postalCodeLength) ?? '',
  city: storableText(recipient.city, recipientLimits.city) ?? '',
});
