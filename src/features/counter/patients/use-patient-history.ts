/** A patient's treatments: those of this device at once, and all of them as soon as the server has told. */
import { useLiveQuery } from 'dexie-react-hooks';
import { useEffect, useState } from 'react';
import type { PastTreatment } from '../../../../domain/patient/resources.ts';
import { db } from '../../../device/database.ts';
import { localTreatments } from '../../../db/queries/patients.ts';
import type { LocalTreatment } from '../../../db/queries/patients.ts';
import { askForHistory } from './ask-for-history.ts';
import { mergeHistory } from './merge-history.ts';

const mostHere = 100;

interface Told {
  treatments: PastTreatment[];
  total: number;
  /** When the first page came (milliseconds). */
  atMs: number;
}

export interface History {
  /** Undefined until this device has looked. */
  treatments: LocalTreatment[] | undefined;
  /** Where the list comes from: the server has all of it, has not heard of the patient, does not answer, or is being asked. */
  from: 'server' | 'unknown' | 'away' | 'asking';
  isAsking: boolean;
  atMs: number | null;
  /** How many older ones the server has besides. */
  older: number;
  askMore: () => void;
}

export function usePatientHistory(patientId: string): History {
  const here = useLiveQuery(() => localTreatments(db, patientId, { limit: mostHere }), [patientId]);
  const [told, setTold] = useState<Told | null>(null);
  const [outcome, setOutcome] = useState<History['from']>('asking');
  const [asked, setAsked] = useState({ page: 1, turn: 0 });
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    void askForHistory(patientId, asked.page, signal).then((answer) => {
      if (signal.aborted) return;
      if (typeof answer === 'string') {
        setOutcome(answer);
        return;
      }
      setOutcome('server');
      setTold((before) =>
        asked.page === 1 || !before
          ? answer
          : { ...before, total: answer.total, treatments: [...before.treatments, ...answer.treatments] },
      );
    });
    return () => ending.abort();
  }, [patientId, asked]);

  const older = told ? Math.max(0, told.total - told.treatments.length) : 0;
  return {
    treatments: here && mergeHistory(here, told?.treatments ?? [], { isComplete: older === 0 }),
    from: told && outcome === 'asking' ? 'server' : outcome,
    isAsking: outcome === 'asking',
    atMs: told?.atMs ?? null,
    older,
    askMore: () => {
      setOutcome('asking');
      setAsked(({ page, turn }) => ({ page: outcome === 'server' ? page + 1 : page, turn: turn + 1 }));
    },
  };
}
