import { useRef, useState } from 'react';
import { seenOf } from '#domain/seen.ts';
import type { Seen } from '#domain/seen.ts';
import { refreshData } from '../server-data/use-server-data.ts';
import { useServerCall } from '../server-data/use-server-call.ts';
import type { ServerCallOptions } from '../server-data/use-server-call.ts';
import type { NounWords } from './changes.ts';
import { useSeen } from './use-seen.ts';
import type { SeenRecord } from './use-seen.ts';

export interface Decision<Shown, Input> extends SeenRecord {
  /** The record as it is shown: as it was when it was opened, with what has changed since. */
  shown: Shown;
  /**
   * Returns true if it was done. A refusal for a change leaves the record as it is now to be looked at, and for a moment nothing
   * more is decided.
   */
  run: (input: Input) => Promise<boolean>;
  isRunning: boolean;
}

interface DecisionOptions<Shown, Input, Output> extends ServerCallOptions<Input, Output> {
  /** Decides on what was seen. */
  call: (input: Input & { seen: Seen }, headers: Record<string, string>, shown: Shown) => Promise<Output>;
  fields: readonly (keyof Shown & string)[];
  words: NounWords;
  /** True for a button without a dialog: it decides on what the page shows when it is tapped. */
  isLive?: boolean;
  /** What was seen by who wrote the kept draft of the decision. */
  reopened?: Seen | null;
}

/** Decides on a record, and says so again where it is no longer what the screen showed. @param record as it was opened */
export function useDecision<Shown extends object, Input extends object = object, Output = unknown>(
  record: Shown,
  { call, fields, words, isLive = false, reopened = null, ...options }: DecisionOptions<Shown, Input, Output>,
): Decision<Shown, Input> {
  const sight = useSeen(seenOf(record, fields), words, { isLive, reopened });
  const [first] = useState(record);
  const opener = useRef<Element | null>(null);
  const shown = { ...(isLive ? record : first), ...sight.seen };
  const deciding = useServerCall<Input & { seen: Seen }, Output>((input, headers) => call(input, headers, shown), {
    ...options,
    onRefused: (fault, isCreated) => {
      if (options.onRefused?.(fault, isCreated)) return true;
      if (!sight.take(fault)) return false;
      void refreshData(...options.refreshes);
      return true;
    },
  });
  return {
    ...sight,
    shown,
    forget: () => {
      sight.forget();
      giveBackFocus(opener.current);
    },
    run: async (input) => {
      if (sight.isReading) return false;
      // The button that asks again is another one.
      if (!sight.isRefused) opener.current = document.activeElement;
      const isDone = await deciding.run({ ...input, seen: sight.seen });
      if (isDone) sight.forget();
      return isDone;
    },
    isRunning: deciding.isRunning,
  };
}

/**
 * Gives the focus back to the button that a decision was made by. A button loses it while it waits, so the dialog that asks
 * again does not know where it was.
 */
function giveBackFocus(opener: Element | null): void {
  requestAnimationFrame(() => {
    if (opener instanceof HTMLElement && opener.isConnected && document.activeElement === document.body) opener.focus();
  });
}
