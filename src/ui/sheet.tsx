import { Suspense } from 'react';
import { loadLater } from './load-later.tsx';
import type { SheetProps } from './moving-sheet.tsx';
import { useEver } from './use-ever.ts';

const MovingSheet = loadLater(async () => (await import('./moving-sheet.tsx')).MovingSheet);

/** A panel that slides up from the lower edge. The animation code is loaded when a sheet first opens. */
export function Sheet(props: SheetProps) {
  if (!useEver(props.open)) return null;
  return (
    <Suspense fallback={null}>
      <MovingSheet {...props} />
    </Suspense>
  );
}
