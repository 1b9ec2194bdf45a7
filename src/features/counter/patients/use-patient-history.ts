/** A patient's treatments: those on this device at once, and those on the server as it answers. */
import { useLiveQuery } from '#src/local-data/live.ts';
import { useEffect, useState } from 'react';
import { longPageSize } from '#domain/pagination.ts';
import type { PastTreatment, PatientHistoryResource } from '#domain/order/past-treatments.ts';
import type { FullPatientResource } from '#domain/patient/resources.ts';
import { faultOf } from '#src/api/client.ts';
import { readPage } from '#src/api/read-page.ts';
import { db } from '#src/local-data/database.ts';
import { localTreatments } from '#src/db/queries/patients.ts';
import type { LocalTreatment } from '#src/db/queries/patients.ts';
import { mergeHistory } from './merge-history.ts';

const localLimit = 100;

interface ServerHistory {
  patient: FullPatientResource;
  treatments: PastTreatment[];
  total: number;
  /** Time at which the first page arrived, in milliseconds. */
  atMs: number;
}

/** `unknown`: the server does not have the patient yet. `away`: the server does not answer. */
type HistoryFault = 'unknown' | 'away';

export interface PatientHistory {
  /** The patient as the server told; null until it has. */
  patient: FullPatientResource | null;
  /** Undefined until this device has answered. */
  treatments: LocalTreatment[] | undefined;
  /** `server` once the list includes what the server has. */
  source: 'server' | 'loading' | HistoryFault;
  isLoading: boolean;
  atMs: number | null;
  /** Number of older treatments that the server has and that are not loaded. */
  remaining: number;
  /** Loads the next page, or tries the last one again. */
  loadMore: () => void;
}

export function usePatientHistory(patientId: string): PatientHistory {
  const local = useLiveQuery(() => localTreatments(db, patientId, { limit: localLimit }), [patientId]);
  const [loaded, setLoaded] = useState<ServerHistory | null>(null);
  const [outcome, setOutcome] = useState<PatientHistory['source']>('loading');
  const [request, setRequest] = useState({ page: 1, attempt: 0 });
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    void fetchHistory(patientId, request.page, signal).then((answer) => {
      if (signal.aborted) return;
      if (typeof answer === 'string') {
        setOutcome(answer);
        return;
      }
      setOutcome('server');
      setLoaded((before) =>
        request.page === 1 || !before
          ? answer
          : { ...before, total: answer.total, treatments: [...before.treatments, ...answer.treatments] },
      );
    });
    return () => controller.abort();
  }, [patientId, request]);

  const remaining = loaded ? Math.max(0, loaded.total - loaded.treatments.length) : 0;
  return {
    patient: loaded?.patient ?? null,
    treatments: local && mergeHistory(local, loaded?.treatments ?? [], { isComplete: remaining === 0 }),
    source: loaded && outcome === 'loading' ? 'server' : outcome,
    isLoading: outcome === 'loading',
    atMs: loaded?.atMs ?? null,
    remaining,
    loadMore: () => {
      setOutcome('loading');
      setRequest(({ page, attempt }) => ({ page: outcome === 'server' ? page + 1 : page, attempt: attempt + 1 }));
    },
  };
}

/** @param page from 1; page 1 has the latest treatments */
async function fetchHistory(
  patientId: string,
  page: number,
  signal: AbortSignal,
): Promise<ServerHistory | HistoryFault> {
  try {
    const searchParams = { page, per_page: longPageSize };
    const { data, pagination } = await readPage<{ data: PatientHistoryResource; pagination: { total: number } }>(
      `patients/${patientId}`,
      { searchParams, signal },
    );
    const { treatments, ...patient } = data;
    return { patient, treatments, total: pagination.total, atMs: Date.now() };
  } catch (thrown) {
    return (await faultOf(thrown)).code === 'PATIENT_NOT_FOUND' ? 'unknown' : 'away';
  }
}
