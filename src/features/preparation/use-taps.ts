import { useEffect, useRef } from 'react';
import { itemElementId } from './item-row.tsx';
import type { OnMove } from './item-row.tsx';

/** A second tap so soon is the bounce of the first, and would hit what has slid into its place. */
const bounceMs = 350;

/** Takes taps one at a time, and keeps the focus on what was moved: it has left the place where the keyboard was. */
export function useTaps(move: OnMove): OnMove {
  const lastAt = useRef(-Infinity);
  const movedId = useRef<string>(null);
  useEffect(() => {
    const id = movedId.current;
    movedId.current = null;
    if (id !== null && document.activeElement === document.body)
      document.getElementById(itemElementId(id))?.focus({ preventScroll: true });
  });
  return (placed, direction) => {
    if (performance.now() - lastAt.current < bounceMs) return;
    lastAt.current = performance.now();
    movedId.current = placed.item.id;
    move(placed, direction);
  };
}
