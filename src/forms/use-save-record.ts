import { useRef } from 'react';
import type { FieldValues } from 'react-hook-form';
import { callServer } from '../api/client.ts';
import { changeRecord } from '../api/change-record.ts';
import type { RecordChange } from '../api/change-record.ts';
import { useServerCall } from '../server-data/use-server-call.ts';
import { isOutageFault, refreshData } from '../server-data/use-server-data.ts';
import type { DraftForm } from './draft-form.ts';

interface SaveOptions<Draft extends FieldValues, Stored> {
  form: DraftForm<Draft>;
  /** Where new records are created; without one the form only changes a record. */
  createAt?: string;
  /** The path of the record that the form edits. */
  path: string;
  /** Returns the body that creates a record. */
  bodyOf?: (draft: Draft) => object;
  refreshes: string[];
  /** Text of the toast on success. */
  done?: (draft: Draft) => string;
  failed: string;
  /** See `useServerCall`. The draft is then deleted before the key: one left without its key would create a second record. */
  keepAs?: string;
  /** Called with the stored record as soon as the reply is here. */
  onStored?: (stored: Stored) => void;
}

interface Sent<Draft> {
  draft: Draft;
  body: object;
  /** Null for a new record. */
  change: RecordChange | null;
}

/** More often nobody overtakes a form while it is sent. */
const mostAttempts = 3;

/**
 * Saves a form: creates its record, or sends what was changed of it. What others have changed beside it is taken over, and
 * what both have changed is asked first.
 */
export function useSaveRecord<Draft extends FieldValues, Stored = unknown>({
  form,
  createAt,
  path,
  bodyOf = (draft) => draft,
  refreshes,
  done,
  failed,
  keepAs,
  onStored,
}: SaveOptions<Draft, Stored>) {
  /** True when the last attempt was overtaken and nothing is left to ask. */
  const isOvertaken = useRef(false);
  const saving = useServerCall(
    async ({ body, change }: Sent<Draft>, headers) => {
      const { data } = change
        ? await changeRecord<{ data: Stored }>(path, change, headers)
        : await callServer<{ data: Stored }>('post', createAt ?? path, body, headers);
      onStored?.(data);
      if (keepAs) await form.forget();
    },
    {
      refreshes,
      done: done && (({ draft }) => done(draft)),
      failed,
      onRefused: (fault) => {
        const isTaken = form.takeRefusal(fault);
        isOvertaken.current = fault.code === 'CHANGED_MEANWHILE' && isTaken && !form.isAsked();
        if (isTaken && fault.code !== 'CHANGED_MEANWHILE') return true;
        // An outage passes, and the page tells of it.
        if (isOutageFault(fault)) return false;
        // The record may have gone on: the screen of the form is told what it is now.
        void refreshData(...refreshes);
        if (!isTaken) form.tellRefusal({ title: failed, fault });
        return true;
      },
      keepAs: keepAs && `${keepAs}${form.placeSuffix}`,
    },
  );
  async function attempt(draft: Draft, left: number): Promise<boolean> {
    const change = form.changeOf(draft);
    if (change && Object.keys(change.changes).length === 0) return true;
    isOvertaken.current = false;
    if (await saving.run({ draft, body: change ? {} : bodyOf(draft), change })) return true;
    return isOvertaken.current && left > 1 ? attempt(form.getValues(), left - 1) : false;
  }
  return {
    /** @returns true if the record is stored as the form has it; otherwise form or toast shows the reason */
    save: (draft: Draft): Promise<boolean> => attempt(draft, mostAttempts),
    isRunning: saving.isRunning,
  };
}
