import { chakra } from '@chakra-ui/react';
import { currencyLabel, formatMinor } from '../../../domain/money.ts';
import { lineTotal } from '../../../domain/order/order.ts';
import type { OrderLine } from '../../../domain/order/order.ts';
import { milliToWire } from '../../../domain/quantity.ts';

// Styled once on the list, because a treatment may have hundreds of lines and plain elements render much faster.
const styles = {
  '& > li': { display: 'grid', gridTemplateColumns: '2rem 1fr auto', columnGap: '3', paddingBlock: '1.5' },
  '& > li > :first-of-type': { color: 'fg.muted', whiteSpace: 'nowrap' },
  '& > li > :nth-of-type(2)': { minWidth: 0, overflowWrap: 'anywhere' },
  '& small': { display: 'block', fontSize: 'inherit', color: 'fg.muted' },
} as const;

export function OrderLines({ lines, currency }: { lines: readonly OrderLine[]; currency: string }) {
  return (
    <chakra.ul listStyleType="none" fontSize="sm" fontVariantNumeric="tabular-nums" css={styles}>
      {lines.map((line) => (
        <li key={line.lineId}>
          <span>{`${milliToWire(line.quantityMilli)} ×`}</span>
          <span>
            {line.name}
            {line.notes && <small>{line.notes}</small>}
          </span>
          <span>{formatMinor(lineTotal(line), currencyLabel(currency))}</span>
        </li>
      ))}
    </chakra.ul>
  );
}
