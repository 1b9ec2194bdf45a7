import { currencyLabel, formatMinor } from '../../../domain/money.ts';
import { lineTotal } from '../../../domain/order/order.ts';
import type { OrderLine } from '../../../domain/order/order.ts';
import { milliToWire } from '../../../domain/quantity.ts';
import styles from './order-lines.module.css';

export function OrderLines({ lines, currency }: { lines: readonly OrderLine[]; currency: string }) {
  return (
    <ul className={styles['lines']}>
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
    </ul>
  );
}
