/** Reads of the patients, and what a write of one reloads. */
import type { FullPatientResource } from '#domain/patient/resources.ts';
import { listParams } from './list-query.ts';
import type { ListQuery, Page } from './list-query.ts';
import { useServerData } from './use-server-data.ts';

/** @param options.enabled false for who signed in without the server */
export const usePatients = (list: ListQuery, options: { enabled: boolean }) =>
  useServerData<Page<FullPatientResource>>('patients', listParams(list), options);

export const patientPaths = ['patients'];
