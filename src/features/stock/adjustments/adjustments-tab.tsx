import { chakra } from '@chakra-ui/react';
import { useEffect, useEffectEvent } from 'react';
import { useOpened } from '#src/navigation/use-opened.ts';
import { AdjustmentForm } from './adjustment-form.tsx';
import { RecentAdjustments } from './recent-adjustments.tsx';
import { LowStockList } from './low-stock-list.tsx';
import { useAdjustment } from './use-adjustment.ts';

/** Adjusts stock from the device's database, so it also works offline. */
export function AdjustmentsTab() {
  const adjustment = useAdjustment();
  const { opened, close } = useOpened('adjust');
  const selectItem = useEffectEvent((stockId: number) => {
    adjustment.chooseItem(stockId);
    // Clears the query string, so that a reload does not overwrite what the user has typed since.
    close();
  });
  const { isReady } = adjustment.form;
  useEffect(() => {
    if (isReady && typeof opened === 'number') selectItem(opened);
  }, [isReady, opened]);
  return (
    <chakra.div
      display="grid"
      gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 5fr) minmax(0, 6fr)' }}
      columnGap="8"
      rowGap="6"
      alignItems="start"
    >
      <AdjustmentForm adjustment={adjustment} />
      <LowStockList onAdjust={({ id }) => adjustment.chooseItem(id)}>
        <RecentAdjustments />
      </LowStockList>
    </chakra.div>
  );
}
