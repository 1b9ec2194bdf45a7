import { Suspense, useState } from 'react';
import type { ReactNode } from 'react';
import { loadLater } from './load-later.tsx';

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
  const [wanted, setWanted] = useState(props.open);
  if (props.open && !wanted) setWanted(true);
  if (!wanted) return null;
  return (
    <Suspense fallback={null}>
      <MovingSheet {...props} />
    </Suspense>
  );
}
