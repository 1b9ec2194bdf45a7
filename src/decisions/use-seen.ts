/** Keeps what a screen shows of a record while somebody decides on it. */
import { useEffect, useState } from 'react';
import type { Seen } from '#domain/seen.ts';
import type { CallFault } from '../api/client.ts';
import { changesOf } from './changes.ts';
import type { FieldChange, NounWords } from './changes.ts';

/** A tap that was meant for what stood there before is over by then. */
const readingMs = 800;

export interface SeenRecord {
  /** What the screen shows now: sent with the decision. */
  seen: Seen;
  /** What has changed since the screen was opened; null before a decision was refused for it. */
  changes: readonly FieldChange[] | null;
  /** True for a moment after a change was told: nobody decides on what they cannot have read. */
  isReading: boolean;
  /** Takes a refusal that tells a change. Returns false for any other. */
  take: (fault: CallFault) => boolean;
  /** Ends the question about a change. */
  forget: () => void;
}

/**
 * @param opened what was seen when the screen was opened
 * @param isLive true where the screen goes on showing what the server says, until a change is told
 */
export function useSeen(opened: Seen, words: NounWords, { isLive = false } = {}): SeenRecord {
  const [first] = useState(opened);
  const [told, setTold] = useState<{ was: Seen; values: Seen } | null>(null);
  const [isReading, setReading] = useState(false);
  useEffect(() => {
    if (!told) return undefined;
    const timer = setTimeout(() => setReading(false), readingMs);
    return () => clearTimeout(timer);
  }, [told]);
  const was = told?.was ?? (isLive ? opened : first);
  const seen = { ...was, ...told?.values };
  return {
    seen,
    changes: told && changesOf(words, was, seen),
    isReading,
    take: (fault) => {
      if (fault.code !== 'CHANGED_MEANWHILE') return false;
      setReading(true);
      setTold((before) => ({ was, values: { ...before?.values, ...fault.details } }));
      return true;
    },
    forget: () => setTold(null),
  };
}
