import { Suspense } from 'react';
import { useOpened } from '#src/navigation/use-opened.ts';
import { loadLater } from '#src/ui/load-later.tsx';

const StockItemForm = loadLater(async () => (await import('./item-form.tsx')).StockItemForm);

/** The form of the stock item that the address names; nothing without one. */
export function OpenedItem() {
  const { opened, close } = useOpened('item');
  if (opened === null) return null;
  return (
    <Suspense fallback={null}>
      <StockItemForm key={opened} id={opened} onClose={close} />
    </Suspense>
  );
}
