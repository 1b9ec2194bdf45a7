import { chakra } from '@chakra-ui/react';
import { ClipboardList } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { OrderLines } from '../../../clinic/order-lines.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import type { PricedPlan } from '../use-priced-plan.ts';
import { PlanLineRow } from './plan-line-row.tsx';
import { WhenNear } from './when-near.tsx';

const shortList = 30;
const lineHeightPx = 118;

interface PlanListProps {
  plan: PricedPlan;
  currency: string;
  onRemove: (itemKey: string, name: string) => void;
}

/** What the treatment already has, and the plan's services; a line that is added comes into view. */
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
          <WhenNear key={line.itemKey} always={lines.length <= shortList} heightPx={lineHeightPx}>
            <PlanLineRow line={line} currency={currency} onRemove={onRemove} />
          </WhenNear>
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
