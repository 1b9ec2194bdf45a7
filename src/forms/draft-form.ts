import { useCallback, useEffect, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import type { DefaultValues, FieldErrors, FieldValues, Path, Resolver, UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { Problem, Problems } from '#domain/problems.ts';
import type { CallFault } from '../api/client.ts';
import { useSession } from '../session/session.ts';
import { keepDraft, readDraft } from '../session/drafts.ts';
import { db } from '../local-data/database.ts';

const restMs = 300;
/** The type of an error whose sentence comes from the server. */
const fromServer = 'server';

interface DraftFormOptions<Draft extends FieldValues> {
  /** Name of the form and its subject, such as `stock:12`. Drafts are stored per person. */
  name: string;
  initial: Draft;
  /** Validation rules from `domain`. */
  problemsOf: (draft: Draft) => Problems<Extract<keyof Draft, string>>;
  /** Fields that are never stored, such as a password. */
  secrets?: readonly (keyof Draft)[];
  /** True for a form that is begun anew each time it opens: who closes it, in any way, discards what they typed. */
  endsWithForm?: boolean;
}

/** Returns the key under which the draft of a form is stored. */
export const draftKey = (name: string, owner: number | undefined): string => `${name}@${owner}`;

const noSecrets: readonly never[] = [];

export interface DraftForm<Draft extends FieldValues> extends UseFormReturn<Draft> {
  /** Returns the error text of a field. */
  errorOf: (field: Extract<keyof Draft, string>) => string | undefined;
  /** True if the form shows a stored draft. */
  wasRestored: boolean;
  /** True once a stored draft has been looked up: from then on nothing replaces the person's input. */
  isReady: boolean;
  /** Shows a refusal at the fields it names; returns false if it names none. */
  takeRefusal: (fault: CallFault) => boolean;
  /** Discards the draft and resets the form. */
  startOver: () => void;
  /** Deletes the stored draft; call it when the form was sent or cancelled. */
  forget: () => Promise<void>;
}

/**
 * A form whose input survives a reload, a lost connection and an expired session: it is stored on the device until the
 * form is sent or cancelled.
 */
export function useDraftForm<Draft extends FieldValues>({
  name,
  initial,
  problemsOf,
  secrets = noSecrets,
  endsWithForm = false,
}: DraftFormOptions<Draft>): DraftForm<Draft> {
  const { t } = useTranslation();
  const owner = useSession((state) => state.user?.id);
  const key = draftKey(name, owner);
  const [wasRestored, setRestored] = useState(false);
  const [isReady, setReady] = useState(false);
  const form = useForm<Draft>({
    defaultValues: initial as DefaultValues<Draft>,
    resolver: resolverOf(problemsOf),
    mode: 'onTouched',
  });
  const { reset, subscribe, formState } = form;
  const unkept = useRef<() => Promise<boolean>>(undefined);
  /** Stores pending input at once. */
  const keep = useCallback(async () => {
    const write = unkept.current;
    unkept.current = undefined;
    // Behind the lock the input waits in memory.
    if (write && !(await write())) unkept.current ??= write;
  }, []);
  const drop = useCallback((): Promise<void> => {
    unkept.current = undefined;
    return db.drafts.delete(key);
  }, [key]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stop: (() => void) | undefined;
    let gone = false;
    async function begin() {
      // What waited behind the lock is newer than the stored draft.
      const draft = unkept.current ? null : await readDraft<Draft>(db, key);
      if (gone) return;
      void keep();
      if (draft) {
        reset((blank) => ({ ...blank, ...draft }), { keepDefaultValues: true });
        setRestored(true);
      }
      stop = subscribe({
        formState: { values: true, isDirty: true },
        callback: ({ values, isDirty }) => {
          clearTimeout(timer);
          const value = Object.fromEntries(Object.entries(values).filter(([field]) => !secrets.includes(field)));
          unkept.current = () => (isDirty ? keepDraft(db, key, value) : db.drafts.delete(key).then(() => true));
          timer = setTimeout(() => void keep(), restMs);
        },
      });
      setReady(true);
    }
    void begin();
    return () => {
      gone = true;
      clearTimeout(timer);
      stop?.();
      if (endsWithForm && isInUse(owner)) void drop();
      else void keep();
    };
  }, [key, owner, secrets, endsWithForm, reset, subscribe, keep, drop]);
  return {
    ...form,
    // Stored before sending, so that the same draft can be sent again if the answer and the page are lost.
    handleSubmit: (onValid, onInvalid) =>
      form.handleSubmit(async (draft, event) => {
        await keep();
        return onValid(draft, event);
      }, onInvalid),
    errorOf: (field) => {
      const { type, message } = (formState.errors as FieldErrors)[field] ?? {};
      if (type === fromServer) return message as string;
      return type && t(`problems.${type as Problem}`);
    },
    wasRestored,
    isReady,
    takeRefusal: ({ code, details = {} }) => {
      // Details of other refusals don't describe fields.
      if (code !== 'VALIDATION') return false;
      const found = Object.entries(details).flatMap(([field, sentence]) =>
        field in initial && typeof sentence === 'string' ? [[field, sentence] as const] : [],
      );
      // The server speaks the reader's language.
      for (const [field, message] of found) form.setError(field as Path<Draft>, { type: fromServer, message });
      return found.length > 0;
    },
    startOver: () => {
      reset();
      setRestored(false);
      void drop();
    },
    forget: drop,
  };
}

/** Returns false when the lock, the end of a session or another person has taken a form away from who writes it. */
function isInUse(owner: number | undefined): boolean {
  const { user, locked } = useSession.getState();
  return !locked && user?.id === owner;
}

function resolverOf<Draft extends FieldValues>(
  problemsOf: (draft: Draft) => Problems<Extract<keyof Draft, string>>,
): Resolver<Draft> {
  return (draft) => {
    const found: Partial<Record<string, Problem>> = { ...problemsOf(draft) };
    for (const [field, value] of Object.entries(draft)) if (hasUnread(value)) found[field] = 'NUMBER_INVALID';
    const problems = Object.entries(found).filter(([, problem]) => problem !== undefined);
    if (problems.length === 0) return { values: draft, errors: {} };
    return {
      values: {},
      errors: Object.fromEntries(problems.map(([field, problem]) => [field, { type: problem! }])) as FieldErrors<Draft>,
    };
  };
}

/** Returns true if a number field in a value holds a text that cannot be read (`use-typed-number.ts`). */
const hasUnread = (value: unknown): boolean =>
  Number.isNaN(value) ||
  (Array.isArray(value) && value.some((each: object) => Object.values(each).some((part) => Number.isNaN(part))));
