import type { KeyboardEvent } from 'react';

const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/**
 * Chooses the neighbour of the chosen value by arrow key, round the ends, and moves the focus there.
 *
 * @param role the ARIA role of the elements that show the values, in the same order, within the one that got the key
 */
export function chooseByArrow<Value extends string>(
  event: KeyboardEvent<HTMLElement>,
  {
    values,
    value,
    role,
    onChange,
  }: { values: readonly Value[]; value: Value; role: string; onChange: (value: Value) => void },
): void {
  const step = steps[event.key];
  if (!step) return;
  const next = (values.indexOf(value) + step + values.length) % values.length;
  event.preventDefault();
  onChange(values[next]!);
  event.currentTarget.querySelectorAll<HTMLElement>(`[role=${role}]`)[next]?.focus();
}
