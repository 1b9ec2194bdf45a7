import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { intlTag } from '../../ui/intl-tag.ts';

const steps = [
  ['second', 1000],
  ['minute', 60_000],
  ['hour', 60 * 60_000],
  ['day', 24 * 60 * 60_000],
] as const;

/** How long ago something was, in words and in the largest unit that fits. */
export function relativeTime(atMs: number, nowMs: number, tag: string): string {
  const ago = Math.max(0, nowMs - atMs);
  const [unit, length] = steps.findLast(([, unitMs]) => ago >= unitMs) ?? steps[0];
  return new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }).format(-Math.floor(ago / length), unit);
}

/** Words for the time since something, kept current while they are shown. */
export function useRelativeTime(): (atMs: number) => string {
  const { i18n } = useTranslation();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000);
    return () => clearInterval(timer);
  }, []);
  // What was written after the last tick is not in the future.
  return (atMs) => relativeTime(atMs, Math.max(now, atMs), intlTag(i18n.language));
}
