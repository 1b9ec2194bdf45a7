import type { PastTreatment, PatientHistoryResource } from '../../../../domain/patient/resources.ts';
import { api, faultOf } from '../../../api/client.ts';

const perPage = 20;

/** A page of what the server knows, or that it has not heard of the patient, or that it does not answer. */
export type HistoryAnswer = { treatments: PastTreatment[]; total: number; atMs: number } | 'unknown' | 'away';

/** @param page from 1; the latest treatments first */
export async function askForHistory(patientId: string, page: number, signal: AbortSignal): Promise<HistoryAnswer> {
  try {
    const searchParams = { page, per_page: perPage };
    const { data, pagination } = await api
      .get(`patients/${patientId}`, { searchParams, signal })
      .json<{ data: PatientHistoryResource; pagination: { total: number } }>();
    return { treatments: data.treatments, total: pagination.total, atMs: Date.now() };
  } catch (thrown) {
    return (await faultOf(thrown)).code === 'PATIENT_NOT_FOUND' ? 'unknown' : 'away';
  }
}
