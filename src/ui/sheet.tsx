import { Suspense } from 'react';
import type { ReactNode } from 'react';
import { loadLater } from './load-later.tsx';
import { useEver } from './use-ever.ts';

export interface SheetProps {
  open: boolean;
  onClose: () => void;
  title: string;
  closeLabel: string;
  children: ReactNode;
}

const MovingSheet = loadLater(async () => (await import('./moving-sheet.tsx')).MovingSheet);

/** A panel that slides up from the lower edge. What moves it is loaded when one is first opened. */
export function Sheet(props: SheetProps) {
  if (!useEver(props.open)) return null;
  return (
    <Suspense fallback={null}>
      <MovingSheet {...props} />
    </Suspense>
  );
}
