/** Keeps what a screen shows of a record while somebody decides on it. */
import { useEffect, useState } from 'react';
import { changedSince } from '#domain/seen.ts';
import type { Seen } from '#domain/seen.ts';
import type { CallFault } from '../api/client.ts';
import { changesOf } from './changes.ts';
import type { FieldChange, NounWords } from './changes.ts';

/** A tap that was meant for what stood there before is over by then. */
const readingMs = 800;

export interface SeenRecord {
  /** What the screen shows now: sent with the decision. */
  seen: Seen;
  /** What has changed since the screen was opened; null before a decision was refused for it, or a draft opened again. */
  changes: readonly FieldChange[] | null;
  /** True if a decision was refused for the changes. */
  isRefused: boolean;
  /** True for a moment after a change was told: nobody decides on what they cannot have read. */
  isReading: boolean;
  /** Takes a refusal that tells a change. Returns false for any other. */
  take: (fault: CallFault) => boolean;
  /** Ends the question about a change. */
  forget: () => void;
}

interface Told {
  was: Seen;
  /** The fields that have changed, as they are now. */
  values: Seen;
}

/** Returns what has changed since the draft of a decision was kept; null if nothing has. */
function toldSince(kept: Seen | null, now: Seen): Told | null {
  const values = kept ? changedSince(kept, now) : {};
  return kept && Object.keys(values).length > 0 ? { was: kept, values } : null;
}

/**
 * @param opened what was seen when the screen was opened
 * @param isLive true where the screen goes on showing what the server says, until a change is told
 * @param reopened what was seen by who wrote the kept draft of a decision
 */
export function useSeen(
  opened: Seen,
  words: NounWords,
  { isLive = false, reopened = null }: { isLive?: boolean; reopened?: Seen | null } = {},
): SeenRecord {
  const [first] = useState(opened);
  const [told, setTold] = useState<Told | null>(null);
  const [isReading, setReading] = useState(false);
  useEffect(() => {
    if (!told) return undefined;
    const timer = setTimeout(() => setReading(false), readingMs);
    return () => clearTimeout(timer);
  }, [told]);
  const known = told ?? toldSince(reopened, first);
  const was = known?.was ?? (isLive ? opened : first);
  const seen = { ...was, ...known?.values };
  return {
    seen,
    changes: known && changesOf(words, was, seen),
    isRefused: told !== null,
    isReading,
    take: (fault) => {
      if (fault.code !== 'CHANGED_MEANWHILE') return false;
      setReading(true);
      setTold({ was, values: { ...known?.values, ...fault.details } });
      return true;
    },
    forget: () => setTold(null),
  };
}
