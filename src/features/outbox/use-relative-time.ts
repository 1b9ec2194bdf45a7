import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { intlTag } from '#src/ui/intl-tag.ts';

const units = [
  ['second', 1000],
  ['minute', 60_000],
  ['hour', 60 * 60_000],
  ['day', 24 * 60 * 60_000],
] as const;

/** Formats the time since `atMs` in the largest unit that fits: "5 minutes ago". */
export function relativeTime(atMs: number, nowMs: number, tag: string): string {
  const elapsedMs = Math.max(0, nowMs - atMs);
  const [unit, unitMs] = units.findLast(([, lengthMs]) => elapsedMs >= lengthMs) ?? units[0];
  return new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }).format(-Math.floor(elapsedMs / unitMs), unit);
}

/** Returns `relativeTime` for the current time and language, and renders again every 10 seconds. */
export function useRelativeTime(): (atMs: number) => string {
  const { i18n } = useTranslation();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000);
    return () => clearInterval(timer);
  }, []);
  // An entry written after the last tick must not appear to be in the future.
  return (atMs) => relativeTime(atMs, Math.max(now, atMs), intlTag(i18n.language));
}
