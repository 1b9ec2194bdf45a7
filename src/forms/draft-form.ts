import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import type { DefaultValues, FieldErrors, FieldValues, Path, Resolver, UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { Problem, Problems } from '#domain/problems.ts';
import type { Seen } from '#domain/seen.ts';
import { canonicalJson } from '#domain/wire/canonical-json.ts';
import type { RecordChange } from '../api/change-record.ts';
import type { CallFault } from '../api/client.ts';
import { useSession } from '../session/session.ts';
import { keepDraft, readDraft } from '../session/drafts.ts';
import { db } from '../local-data/database.ts';
import { takeDraftPlace } from './draft-place.ts';
import type { DraftPlace } from './draft-place.ts';
import { changeIn, isAlike, isOlder, mergeDraft, problemsOfChange, settleField } from './edited-record.ts';
import type { EditedRecord } from './edited-record.ts';

const restMs = 300;
/** The type of an error whose sentence comes from the server. */
const fromServer = 'server';

interface DraftFormOptions<Draft extends FieldValues> {
  /** Name of the form and its subject, such as `stock:12`. Drafts are stored per person. */
  name: string;
  /** What the form of a new record, or of none, begins with. */
  initial: Draft;
  /** The record that the form edits, which may change while it is open. */
  record?: EditedRecord<Draft> | undefined;
  /** What the form shows of a record that it decides on and does not edit. */
  seen?: Seen;
  /** Validation rules from `domain`. */
  problemsOf: (draft: Draft) => Problems<Extract<keyof Draft, string>>;
  /** Fields that are never stored, such as a password. */
  secrets?: readonly (keyof Draft)[];
  /** True for a form that is begun anew each time it opens: who closes it, in any way, discards what they typed. */
  endsWithForm?: boolean;
}

const noSecrets: readonly never[] = [];
const nothingSeen: Seen = {};

/** The name under which a stored draft has its record as it was opened, or what was seen of it. */
const openedKey = '$opened';

/** What others have changed of the record since the form was opened. */
export interface Meanwhile<Draft> {
  /** The fields that the form has taken over. */
  followed: readonly Extract<keyof Draft, string>[];
  /** The fields that the person has changed too, and has to decide. */
  asked: readonly Extract<keyof Draft, string>[];
  stored: Seen;
}
/** A refusal that is about no field. */
export interface FormRefusal {
  /** What was not done. */
  title: string;
  fault: CallFault;
}

const nothingMeanwhile = { followed: [], asked: [], stored: {} };

export interface DraftForm<Draft extends FieldValues> extends UseFormReturn<Draft> {
  /** Returns the error text of a field. */
  errorOf: (field: Extract<keyof Draft, string>) => string | undefined;
  /** True if the form shows a stored draft. */
  wasRestored: boolean;
  /** What was seen when the stored draft was begun; null if the form shows none. */
  keptSight: Seen | null;
  /** True once a stored draft has been looked up: from then on nothing replaces the person's input. */
  isReady: boolean;
  /** What the form's draft adds to its name, where another tab has the same form open. See `draft-place.ts`. */
  placeSuffix: string;
  /** What the form edits; undefined for a new record. */
  record: EditedRecord<Draft> | undefined;
  meanwhile: Meanwhile<Draft>;
  /** Decides a field that others have changed too. */
  settle: (field: Extract<keyof Draft, string>, isMine: boolean) => void;
  /** Returns what a draft changes of its record; null for a new record. */
  changeOf: (draft: Draft) => RecordChange | null;
  /** Returns whether the person has to decide fields that others have changed too. */
  isAsked: () => boolean;
  /** Takes a saved record as the one that the form was opened with. */
  saved: (stored: object) => void;
  /** Shows a refusal at the fields it names, or what others have changed; returns false if it shows nothing. */
  takeRefusal: (fault: CallFault) => boolean;
  /** What the form was refused for, at no field; null before and after. */
  refusal: FormRefusal | null;
  /** Says above the fields what the form was refused for, until it is sent again. */
  tellRefusal: (refusal: FormRefusal) => void;
  /** Discards the draft and resets the form. */
  startOver: () => void;
  /** Deletes the stored draft; call it when the form was sent or cancelled. */
  forget: () => Promise<void>;
  /** Calls back after the draft was discarded: what is typed then is about something else. Returns how to end that. */
  onDropped: (listener: () => Promise<void>) => () => void;
}

/**
 * A form whose input survives a reload, a lost connection and an expired session: it is stored on the device until the
 * form is sent or cancelled.
 */
export function useDraftForm<Draft extends FieldValues>({
  name,
  initial,
  record,
  seen = nothingSeen,
  problemsOf,
  secrets = noSecrets,
  endsWithForm = false,
}: DraftFormOptions<Draft>): DraftForm<Draft> {
  const { t } = useTranslation();
  const owner = useSession((state) => state.user?.id);
  const [wasRestored, setRestored] = useState(false);
  const [keptSight, setKeptSight] = useState<Seen | null>(null);
  const [isReady, setReady] = useState(false);
  const [placeSuffix, setPlaceSuffix] = useState('');
  const [refusal, setRefusal] = useState<FormRefusal | null>(null);
  const place = useRef<Promise<DraftPlace>>(undefined);
  const beginning = useRef<Promise<void>>(undefined);
  const [begun] = useState(() => (record ? record.draftOf(record.stored) : initial));
  const opened = useRef<Seen>(record?.stored ?? seen);
  const asked = useRef<readonly Extract<keyof Draft, string>[]>([]);
  const [meanwhile, setMeanwhile] = useState<Meanwhile<Draft>>(nothingMeanwhile);
  const form = useForm<Draft>({
    defaultValues: begun as DefaultValues<Draft>,
    resolver: (draft) =>
      resolve(draft, record ? () => problemsOfChange(record, opened.current, draft, problemsOf) : problemsOf),
    mode: 'onTouched',
  });
  const { reset, subscribe, formState, getValues } = form;
  const unkept = useRef<() => Promise<boolean>>(undefined);
  /** Stores pending input at once. */
  const keep = useCallback(async () => {
    const write = unkept.current;
    unkept.current = undefined;
    // Behind the lock the input waits in memory.
    if (write && !(await write())) unkept.current ??= write;
  }, []);
  const [listeners] = useState(() => new Set<() => Promise<void>>());
  const drop = useCallback(async (): Promise<void> => {
    unkept.current = undefined;
    const taken = await place.current;
    if (taken) await db.drafts.delete(taken.key);
    await Promise.all([...listeners].map((tell) => tell()));
  }, [listeners]);
  const onDropped = useCallback(
    (listener: () => Promise<void>) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    [listeners],
  );
  /** Shows values over what is stored of the record. */
  const show = useCallback(
    (stored: Draft, values: Draft) => {
      const differing = Object.entries(values).filter(([field, value]) => !isAlike(value, stored[field]));
      reset(stored);
      // All at once: a list whose value is set by itself after a reset does not hear of it, and keeps the fields of lines
      // that are gone.
      reset({ ...stored, ...(Object.fromEntries(differing) as Partial<Draft>) }, { keepDefaultValues: true });
    },
    [reset],
  );
  /** Takes over what has changed of the record. */
  function take(stored: Seen): void {
    if (!record || isOlder(stored, opened.current)) return;
    const merged = mergeDraft(record, { opened: opened.current, values: getValues(), stored });
    opened.current = merged.opened;
    asked.current = merged.asked;
    const base = record.draftOf(merged.opened);
    if (merged.followed.length > 0) show(base, merged.values);
    if (merged.followed.length === 0 && merged.asked.length === 0 && meanwhile.asked.length === 0) return;
    setMeanwhile((before) => ({
      stored,
      asked: merged.asked,
      followed: [...new Set([...before.followed, ...merged.followed])],
    }));
  }
  const follow = useEffectEvent((): void => {
    if (record) take(record.stored);
  });
  const storedText = record && canonicalJson(record.stored);
  useEffect(() => {
    if (isReady) follow();
  }, [storedText, isReady]);
  const draftOf = useEffectEvent((kept: Seen): Draft => (record ? record.draftOf(kept) : begun));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stop: (() => void) | undefined;
    let gone = false;
    // Another person's form begins with nothing that the one before has typed.
    const isFirst = place.current === undefined;
    const taking = takeDraftPlace(db, name, owner);
    place.current = taking;
    async function begin() {
      const { key, suffix } = await taking;
      const write = (values: Draft) => {
        const value = Object.fromEntries(Object.entries(values).filter(([field]) => !secrets.includes(field)));
        return keepDraft(db, key, { ...value, [openedKey]: opened.current });
      };
      setPlaceSuffix(suffix);
      // What waited behind the lock is newer than the stored draft.
      const draft = unkept.current ? null : await readDraft<Draft>(db, key);
      if (gone) return;
      void keep();
      // The place may have been waited for, and somebody who has typed meanwhile keeps that.
      const typed = isFirst ? typedSince(begun, getValues()) : {};
      if (draft) {
        const { [openedKey]: kept, ...fields } = draft as Draft & { [openedKey]?: Seen };
        if (kept) opened.current = kept;
        setKeptSight(kept ?? null);
        const base = draftOf(opened.current);
        show(base, { ...base, ...(fields as unknown as Draft), ...typed });
        setRestored(true);
      }
      stop = subscribe({
        formState: { values: true, isDirty: true },
        callback: ({ values, isDirty }) => {
          clearTimeout(timer);
          unkept.current = () => (isDirty ? write(values) : db.drafts.delete(key).then(() => true));
          timer = setTimeout(() => void keep(), restMs);
        },
      });
      if (Object.keys(typed).length > 0) {
        unkept.current = () => write(getValues());
        await keep();
      }
      setReady(true);
    }
    beginning.current = begin();
    return () => {
      gone = true;
      clearTimeout(timer);
      stop?.();
      const last = endsWithForm && isInUse(owner) ? drop() : keep();
      void Promise.all([taking, last]).then(([{ leave }]) => leave());
    };
  }, [name, owner, secrets, endsWithForm, begun, getValues, show, subscribe, keep, drop]);
  return {
    ...form,
    // Stored before sending, so that the same draft can be sent again if the answer and the page are lost.
    handleSubmit: (onValid, onInvalid) =>
      form.handleSubmit(async (draft, event) => {
        setRefusal(null);
        await beginning.current;
        await keep();
        // What is asked comes first: the server would ask it again.
        return asked.current.length > 0 ? (focusAsked() as never) : onValid(draft, event);
      }, onInvalid),
    errorOf: (field) => {
      const { type, message } = (formState.errors as FieldErrors)[field] ?? {};
      if (type === fromServer) return message as string;
      return type && t(`problems.${type as Problem}`);
    },
    wasRestored,
    keptSight,
    isReady,
    placeSuffix,
    refusal,
    tellRefusal: setRefusal,
    record,
    meanwhile,
    settle: (field, isMine) => {
      const { stored } = meanwhile;
      const settled = settleField(record!, { opened: opened.current, values: getValues(), stored }, { field, isMine });
      opened.current = settled.opened;
      asked.current = asked.current.filter((each) => each !== field);
      show(record!.draftOf(settled.opened), settled.values);
      setMeanwhile((before) => ({ ...before, asked: asked.current }));
    },
    changeOf: (draft) => (record ? changeIn(record, opened.current, draft) : null),
    isAsked: () => asked.current.length > 0,
    saved: (stored) => {
      setRefusal(null);
      opened.current = stored as Seen;
      asked.current = [];
      reset(record?.draftOf(opened.current));
      setMeanwhile(nothingMeanwhile);
      setRestored(false);
      void drop();
    },
    takeRefusal: ({ code, details = {} }) => {
      if (code === 'CHANGED_MEANWHILE' && record) {
        take({ ...opened.current, ...details });
        return true;
      }
      // Details of other refusals don't describe fields.
      if (code !== 'VALIDATION') return false;
      const found = Object.entries(details).flatMap(([sent, sentence]) => {
        const field = Object.keys(begun).find((each) => (record?.names[each] ?? each) === sent);
        return field !== undefined && typeof sentence === 'string' ? [[field, sentence] as const] : [];
      });
      // The server speaks the reader's language.
      for (const [field, message] of found) form.setError(field as Path<Draft>, { type: fromServer, message });
      return found.length > 0;
    },
    startOver: () => {
      setRefusal(null);
      opened.current = record?.stored ?? seen;
      setKeptSight(null);
      asked.current = [];
      reset(record ? record.draftOf(record.stored) : undefined);
      setMeanwhile(nothingMeanwhile);
      setRestored(false);
      void drop();
    },
    forget: drop,
    onDropped,
  };
}

/** Leads a person who saves to what they have to decide first. */
export function focusAsked(): undefined {
  document.querySelector<HTMLElement>('[data-asked]')?.focus();
}

/** Returns the fields that differ from those with which a form began. */
const typedSince = <Draft extends object>(begun: Draft, now: Draft): Partial<Draft> =>
  Object.fromEntries(
    Object.entries(now).filter(
      ([field, value]) => !isAlike(value, (begun as Readonly<Record<string, unknown>>)[field]),
    ),
  ) as Partial<Draft>;

/** Returns false when the lock, the end of a session or another person has taken a form away from who writes it. */
function isInUse(owner: number | undefined): boolean {
  const { user, locked } = useSession.getState();
  return !locked && user?.id === owner;
}

/** @param problemsOf what is wrong with the draft of a form, as far as its record was not wrong already */
function resolve<Draft extends FieldValues>(
  draft: Draft,
  problemsOf: (draft: Draft) => Problems<Extract<keyof Draft, string>>,
): ReturnType<Resolver<Draft>> {
  const found: Partial<Record<string, Problem>> = { ...problemsOf(draft) };
  for (const [field, value] of Object.entries(draft)) if (hasUnread(value)) found[field] = 'NUMBER_INVALID';
  const problems = Object.entries(found).filter(([, problem]) => problem !== undefined);
  if (problems.length === 0) return { values: draft, errors: {} };
  return {
    values: {},
    errors: Object.fromEntries(problems.map(([field, problem]) => [field, { type: problem! }])) as FieldErrors<Draft>,
  };
}

/** Returns true if a number field in a value holds a text that cannot be read (`use-typed-number.ts`). */
const hasUnread = (value: unknown): boolean =>
  Number.isNaN(value) ||
  (Array.isArray(value) && value.some((each: object) => Object.values(each).some((part) => Number.isNaN(part))));
