import { useEffect, useEffectEvent, useRef } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { CallFailed, callServer } from '../api/client.ts';
import { changeOf, changeRecord } from '../api/change-record.ts';
import type { RecordChange } from '../api/change-record.ts';
import { useServerCall } from '../server-data/use-server-call.ts';
import { isOutageFault, refreshData } from '../server-data/use-server-data.ts';
import type { DraftForm } from './draft-form.ts';
import { isAlike } from './edited-record.ts';

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
  /** Returns a new record under the names of its body; as it was stored, if omitted. */
  shownOf?: (stored: Stored) => object;
  /** Fields of the body that are settled when the record is created. */
  settledAtOnce?: readonly string[];
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
  shownOf = (stored) => stored as object,
  settledAtOnce = [],
  onStored,
}: SaveOptions<Draft, Stored>) {
  /** True when the last attempt was overtaken and nothing is left to ask. */
  const isOvertaken = useRef(false);
  const { t } = useTranslation();
  const saving = useServerCall<Sent<Draft>, Stored>(
    async ({ body, change }, headers) => {
      const { data } = change
        ? await changeRecord<{ data: Stored }>(path, change, headers)
        : await callServer<{ data: Stored }>('post', createAt ?? path, body, headers);
      return data;
    },
    {
      refreshes,
      done: done && (({ draft }) => done(draft)),
      failed,
      onDone: async (stored) => {
        onStored?.(stored);
        if (keepAs) await form.forget();
      },
      ...(!form.record && {
        goOn: async ({ body }, first, headers) => {
          const before = first.input.body as Readonly<Record<string, unknown>>;
          const changed = Object.entries(body).filter(([name, value]) => !isAlike(before[name], value));
          if (changed.length === 0) return first.output;
          // The server would leave them as they are, and the person would think otherwise.
          if (changed.some(([name]) => settledAtOnce.includes(name)))
            throw new CallFailed({ code: 'VALIDATION', message: '' });
          const { id } = first.output as { id: number };
          const change = changeOf(shownOf(first.output), Object.fromEntries(changed));
          return (await changeRecord<{ data: Stored }>(`${path}/${id}`, change, headers)).data;
        },
      }),
      onRefused: (fault, isCreated) => {
        const isTaken = form.takeRefusal(fault);
        isOvertaken.current = fault.code === 'CHANGED_MEANWHILE' && isTaken && !form.isAsked();
        if (isTaken && fault.code !== 'CHANGED_MEANWHILE' && !isCreated) return true;
        // An outage passes, and the page tells of it.
        if (isOutageFault(fault)) return false;
        // The record may have gone on: the screen of the form is told what it is now.
        void refreshData(...refreshes);
        if (isCreated) form.tellRefusal({ title: t('form.createdBefore'), fault });
        else if (!isTaken) form.tellRefusal({ title: failed, fault });
        return true;
      },
      keepAs: keepAs && `${keepAs}${form.placeSuffix}`,
    },
  );
  const forgetSent = useEffectEvent(() => saving.forget());
  const { onDropped } = form;
  useEffect(() => onDropped(() => forgetSent()), [onDropped]);
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
