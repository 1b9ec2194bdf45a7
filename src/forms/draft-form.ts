import { useCallback, useEffect, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import type { DefaultValues, FieldErrors, FieldValues, Path, Resolver, UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { problemCatalogue } from '../../domain/problems.ts';
import type { Problem, Problems } from '../../domain/problems.ts';
import type { CallFault } from '../api/client.ts';
import { useSession } from '../session/session.ts';
import { db } from '../local-data/database.ts';

const restMs = 300;

interface DraftFormOptions<Draft extends FieldValues> {
  /** The form and what it is about, such as `stock:12`; a draft belongs to who began it. */
  name: string;
  initial: Draft;
  /** The rules of `domain`: what is wrong with each field. */
  problemsOf: (draft: Draft) => Problems<Extract<keyof Draft, string>>;
  /** What is never kept, such as a password. */
  secrets?: readonly (keyof Draft)[];
}

const noSecrets: readonly never[] = [];

export interface DraftForm<Draft extends FieldValues> extends UseFormReturn<Draft> {
  /** What is wrong with a field, in the reader's words. */
  errorOf: (field: Extract<keyof Draft, string>) => string | undefined;
  /** Whether what is typed here was begun earlier and not sent. */
  wasRestored: boolean;
  /** What was begun earlier has been looked for: from here on nothing takes the place of what is typed. */
  isReady: boolean;
  /** Shows what the server found wrong at the fields it is about; false if it is about none of them. */
  takeRefusal: (fault: CallFault) => boolean;
  /** Gives up what was typed, and begins again. */
  startOver: () => void;
  /** To be called when the form is done with, sent or given up. */
  forget: () => Promise<void>;
}

/**
 * A form whose content survives a reload, a lost connection and an expired session: what was typed is kept on the device
 * until it is sent or given up.
 */
export function useDraftForm<Draft extends FieldValues>({
  name,
  initial,
  problemsOf,
  secrets = noSecrets,
}: DraftFormOptions<Draft>): DraftForm<Draft> {
  const { t } = useTranslation();
  const owner = useSession((state) => state.user?.id);
  const key = `${name}@${owner}`;
  const [wasRestored, setRestored] = useState(false);
  const [isReady, setReady] = useState(false);
  const form = useForm<Draft>({
    defaultValues: initial as DefaultValues<Draft>,
    resolver: resolverOf(problemsOf),
    mode: 'onTouched',
  });
  const { reset, subscribe, formState } = form;
  const unkept = useRef<() => Promise<unknown>>(undefined);
  /** Keeps at once what was typed in the last moment. */
  const keep = useCallback(async () => {
    const write = unkept.current;
    unkept.current = undefined;
    await write?.();
  }, []);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stop: (() => void) | undefined;
    let gone = false;
    async function begin() {
      const draft = await db.drafts.get(key);
      if (gone) return;
      if (draft) {
        reset((blank) => ({ ...blank, ...(draft.value as Draft) }), { keepDefaultValues: true });
        setRestored(true);
      }
      stop = subscribe({
        formState: { values: true, isDirty: true },
        callback: ({ values, isDirty }) => {
          clearTimeout(timer);
          const value = Object.fromEntries(Object.entries(values).filter(([field]) => !secrets.includes(field)));
          unkept.current = () => (isDirty ? db.drafts.put({ key, value }) : db.drafts.delete(key));
          timer = setTimeout(() => void keep(), restMs);
        },
      });
      setReady(true);
    }
    void begin();
    return () => {
      gone = true;
      clearTimeout(timer);
      void keep();
      stop?.();
    };
  }, [key, secrets, reset, subscribe, keep]);
  function drop(): Promise<void> {
    unkept.current = undefined;
    return db.drafts.delete(key);
  }
  return {
    ...form,
    // Kept before it is sent: should the answer be lost, and the page with it, the same can be sent again.
    handleSubmit: (onValid, onInvalid) =>
      form.handleSubmit(async (draft, event) => {
        await keep();
        return onValid(draft, event);
      }, onInvalid),
    errorOf: (field) => {
      const problem = (formState.errors as FieldErrors)[field]?.type as Problem | undefined;
      return problem && t(`problems.${problem}`);
    },
    wasRestored,
    isReady,
    takeRefusal: ({ code, details = {} }) => {
      // Other refusals name things in their details, not what is wrong with fields.
      if (code !== 'VALIDATION') return false;
      const found = Object.entries(details).flatMap(([field, sentence]) =>
        field in initial ? [[field, problemSaying(sentence)] as const] : [],
      );
      for (const [field, problem] of found) form.setError(field as Path<Draft>, { type: problem });
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

/** The server answers with the sentence of a problem; what it says besides is a value that no form of ours can hold. */
function problemSaying(sentence: unknown): Problem {
  const known = Object.entries(problemCatalogue).find(([, english]) => english === sentence);
  return known ? (known[0] as Problem) : 'TEXT_UNFIT';
}

function resolverOf<Draft extends FieldValues>(
  problemsOf: (draft: Draft) => Problems<Extract<keyof Draft, string>>,
): Resolver<Draft> {
  return (draft) => {
    const problems = Object.entries<Problem | undefined>(problemsOf(draft)).filter(
      ([, problem]) => problem !== undefined,
    );
    if (problems.length === 0) return { values: draft, errors: {} };
    return {
      values: {},
      errors: Object.fromEntries(problems.map(([field, problem]) => [field, { type: problem! }])) as FieldErrors<Draft>,
    };
  };
}

/** For `register`: empty and non-numeric input counts as 0. */
export const asNumber = { setValueAs: (input: unknown): number => Number(input) || 0 };
