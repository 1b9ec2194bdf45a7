import { chakra } from '@chakra-ui/react';
import { useEffect, useEffectEvent } from 'react';
import { useOpened } from '../../../navigation/use-opened.ts';
import { AdjustmentForm } from './adjustment-form.tsx';
import { RecentAdjustments } from './recent-adjustments.tsx';
import { LowStockList } from './low-stock-list.tsx';
import { useAdjustment } from './use-adjustment.ts';

/** Correcting what is on the shelf. All of it stands on this device, so it works without the server. */
export function AdjustmentsTab() {
  const adjustment = useAdjustment();
  const { opened, close } = useOpened('adjust');
  const fill = useEffectEvent((stockId: number) => {
    adjustment.chooseItem(stockId);
    // A reload must not choose it again over what was typed since.
    close();
  });
  const { isReady } = adjustment.form;
  useEffect(() => {
    if (isReady && typeof opened === 'number') fill(opened);
  }, [isReady, opened]);
  return (
    <chakra.div
      display="grid"
      gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 5fr) minmax(0, 6fr)' }}
      gridTemplateRows={{ lg: 'auto 1fr' }}
      columnGap="8"
      rowGap="6"
      alignItems="start"
    >
      <chakra.div gridRow={{ lg: '1 / 3' }}>
        <AdjustmentForm adjustment={adjustment} />
      </chakra.div>
      <chakra.div gridColumn={{ lg: '2' }} gridRow={{ lg: '2' }}>
        <RecentAdjustments />
      </chakra.div>
      <chakra.div gridColumn={{ lg: '2' }} gridRow={{ lg: '1' }}>
        <LowStockList onAdjust={({ id }) => adjustment.chooseItem(id)} />
      </chakra.div>
    </chakra.div>
  );
}
