/** The form of a patient, on tablets and at the server. */
import { emailForm } from '../email.ts';
import type { Problems } from '../problems.ts';
import { blankRecipient, statedRecipientProblems } from '../tax/recipient.ts';
import { blankDetails, patientLimits } from './patient.ts';
import type { PatientFields, StatedFields } from './patient.ts';

export interface PatientDraft extends PatientFields {
  name: string;
}

export const blankPatient: PatientDraft = { name: '', phone: '', ...blankDetails };

const minNameLength = 3;

export function patientProblems({
  name,
  phone,
  email = '',
  notes = '',
  recipient = null,
}: Pick<PatientDraft, 'name' | 'phone'> & StatedFields): Problems<keyof PatientDraft> {
  const isEmailWrong = email.trim() !== '' && !emailForm.test(email.trim());
  const [wrongOfRecipient] = Object.values(statedRecipientProblems(recipient ?? blankRecipient));
  return {
    ...(name.trim().length < minNameLength
      ? { name: 'PERSON_NAME_SHORT' }
      : name.length > patientLimits.name && { name: 'TOO_LONG' }),
    ...(phone.length > patientLimits.phone && { phone: 'TOO_LONG' }),
    ...(email.length > patientLimits.email ? { email: 'TOO_LONG' } : isEmailWrong && { email: 'EMAIL_INVALID' }),
    ...(notes.length > patientLimits.notes && { notes: 'TOO_LONG' }),
    ...(wrongOfRecipient && { recipient: wrongOfRecipient }),
  };
}
