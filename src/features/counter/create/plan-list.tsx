import { ClipboardList } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { OrderLines } from '../order-lines.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import type { PricedPlan } from '../use-priced-plan.ts';
import styles from './plan-list.module.css';
import { lineHeightPx, openLineHeightPx, PlanLineRow } from './plan-line-row.tsx';

/** Lines that every screen shows without scrolling, apart from a phone's on its side. */
const alwaysInView = 5;

interface PlanListProps {
  plan: PricedPlan;
  currency: string;
  onRemove: (itemKey: string, name: string) => void;
}

/** Lists the services of the existing treatment and of the plan, and scrolls to a line that is added. */
export function PlanList({ plan: { existing, lines }, currency, onRemove }: PlanListProps) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const [openKey, setOpenKey] = useState<string | null>(null);
  const toggle = useCallback((itemKey: string) => setOpenKey((open) => (open === itemKey ? null : itemKey)), []);
  const openIndex = lines.findIndex(({ itemKey }) => itemKey === openKey);
  const openPx = openIndex < 0 ? 0 : openLineHeightPx - lineHeightPx;
  const lastCount = useRef(lines.length);
  useEffect(() => {
    const isLonger = lines.length > lastCount.current;
    lastCount.current = lines.length;
    if (isLonger && (existing || lines.length > alwaysInView)) scroller.current?.scrollTo({ top: 1e6 });
  }, [lines.length, existing]);

  return (
    <div ref={scroller} className={styles['scroller']}>
      {lines.length === 0 && !existing && (
        <EmptyState icon={<ClipboardList />} title={t('counter.plan.empty')} text={t('counter.plan.emptyText')} />
      )}
      {existing && (
        <>
          <h3 className={styles['title']}>{t('counter.plan.existing')}</h3>
          <OrderLines order={existing} />
          <h3 className={styles['title']}>{t('counter.plan.added')}</h3>
        </>
      )}
      <ul
        aria-label={t('counter.plan.title')}
        className={styles['lines']}
        style={{ height: lines.length * lineHeightPx + openPx }}
      >
        {lines.map((line, index) => (
          <PlanLineRow
            key={line.itemKey}
            line={line}
            currency={currency}
            topPx={index * lineHeightPx + (openIndex >= 0 && index > openIndex ? openPx : 0)}
            isOpen={index === openIndex}
            onToggle={toggle}
            onRemove={onRemove}
          />
        ))}
      </ul>
    </div>
  );
}
