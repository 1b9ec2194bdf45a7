import { chakra } from '@chakra-ui/react';
import { ClipboardList } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { OrderLines } from '../order-lines.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import type { PricedPlan } from '../use-priced-plan.ts';
import { PlanLineRow } from './plan-line-row.tsx';

/** A plan of up to this many lines is rendered as a whole. */
const eagerLines = 30;
const lineHeightPx = 118;

interface PlanListProps {
  plan: PricedPlan;
  currency: string;
  onRemove: (itemKey: string, name: string) => void;
}

/** Lists the services of the existing treatment and of the plan, and scrolls to a line that is added. */
export function PlanList({ plan: { existing, lines }, currency, onRemove }: PlanListProps) {
  const { t } = useTranslation();
  const list = useRef<HTMLUListElement>(null);
  const lastCount = useRef(lines.length);
  useEffect(() => {
    if (lines.length > lastCount.current) list.current?.lastElementChild?.scrollIntoView({ block: 'nearest' });
    lastCount.current = lines.length;
  }, [lines.length]);

  return (
    <chakra.div
      flex="1"
      minHeight="0"
      overflowY="auto"
      overscrollBehavior="contain"
      mx="-4"
      px="4"
      css={{ scrollbarWidth: 'thin' }}
    >
      {lines.length === 0 && !existing && (
        <EmptyState icon={<ClipboardList />} title={t('counter.plan.empty')} text={t('counter.plan.emptyText')} />
      )}
      {existing && (
        <>
          <ListTitle>{t('counter.plan.existing')}</ListTitle>
          <OrderLines lines={existing.lines} currency={existing.currency} />
          <ListTitle>{t('counter.plan.added')}</ListTitle>
        </>
      )}
      <chakra.ul ref={list} aria-label={t('counter.plan.title')} listStyleType="none">
        {lines.map((line) => (
          <LazyItem key={line.itemKey} eager={lines.length <= eagerLines} heightPx={lineHeightPx}>
            <PlanLineRow line={line} currency={currency} onRemove={onRemove} />
          </LazyItem>
        ))}
      </chakra.ul>
    </chakra.div>
  );
}

function ListTitle({ children }: { children: ReactNode }) {
  return (
    <chakra.h3 fontSize="sm" fontWeight="medium" color="fg.muted" pt="3" pb="1">
      {children}
    </chakra.h3>
  );
}

interface LazyItemProps {
  eager: boolean;
  /** Height that the item keeps free until its content is rendered. */
  heightPx: number;
  children: ReactNode;
}

/** Renders a list item's content when it comes near the view, so that a long list opens as fast as a short one. */
function LazyItem({ eager, heightPx, children }: LazyItemProps) {
  const item = useRef<HTMLLIElement>(null);
  const [near, setNear] = useState(eager);
  useEffect(() => {
    if (near || !item.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { rootMargin: '400px' },
    );
    observer.observe(item.current);
    return () => observer.disconnect();
  }, [near]);
  return (
    <li ref={item} style={near ? undefined : { minHeight: heightPx }}>
      {near && children}
    </li>
  );
}
