import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor } from '#domain/money.ts';
import { linePrices } from '#domain/order/line-prices.ts';
import { lineTotal } from '#domain/order/order.ts';
import type { Order } from '#domain/order/order.ts';
import { milliToWire } from '#domain/quantity.ts';
import styles from './order-lines.module.css';

/** Lists the services of a treatment with their prices, and with what was given back for them. */
export function OrderLines({ order }: { order: Order }) {
  const { t } = useTranslation();
  const money = (minor: number) => formatMinor(minor, currencyLabel(order.currency));
  return (
    <ul className={styles['lines']}>
      {linePrices(order).map(({ line, givenMinor }) => (
        <li key={line.lineId}>
          <span>{`${milliToWire(line.quantityMilli)} ×`}</span>
          <span>
            {line.name}
            {line.notes && <small>{line.notes}</small>}
            {givenMinor > 0 && <small>{t('refund.givenBack', { amount: money(givenMinor) })}</small>}
          </span>
          <span>{money(lineTotal(line))}</span>
        </li>
      ))}
    </ul>
  );
}
