import { dayMs, hourMs } from '#domain/durations.ts';

const units = [
  ['day', dayMs],
  ['hour', hourMs],
  ['minute', 60_000],
  ['second', 1000],
] as const;

/** Formats a duration in its two largest units: "2 hr 5 min". @param tag a BCP 47 language tag */
export function duration(ms: number, tag: string): string {
  let rest = Math.max(0, Math.round(ms / 1000) * 1000);
  const first = units.findIndex(([, length]) => rest >= length);
  const shown = first === -1 ? units.slice(-1) : units.slice(first, first + 2);
  const parts = shown.map(([unit, length]) => {
    const count = Math.floor(rest / length);
    rest -= count * length;
    return { count, text: new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'short' }).format(count) };
  });
  return parts
    .filter(({ count }, index) => count > 0 || index === 0)
    .map(({ text }) => text)
    .join(' ');
}
