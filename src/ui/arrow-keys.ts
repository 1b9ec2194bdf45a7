import type { KeyboardEvent } from 'react';

const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/**
 * Handles an arrow key: chooses the next or previous value, wrapping around at the ends, and focuses its element.
 *
 * @param role the ARIA role of the elements that show the values, inside the event's current target and in the same
 * order
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
