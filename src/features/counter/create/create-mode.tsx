import { chakra, Flex } from '@chakra-ui/react';
import { ClipboardList } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { MoneyText } from '../../../formats/money.tsx';
import { Button } from '../../../ui/button.tsx';
import { Sheet } from '../../../ui/sheet.tsx';
import { currentDraft, usePlan } from '../plan-store.ts';
import { useCurrency } from '../../../local-data/use-clinic-settings.ts';
import { usePricedPlan } from '../use-priced-plan.ts';
import { Catalogue } from './catalogue.tsx';
import { PlanPanel } from './plan-panel.tsx';
import type { PlanActions } from './use-plan-actions.ts';

interface CreateModeProps {
  actions: PlanActions;
  isWide: boolean;
  searchRef: RefObject<HTMLInputElement | null>;
}

/**
 * Shows the catalogue on the left and the plan on the right, or in a sheet on small screens. Each side subscribes to its
 * own state, so that typing in the search box does not render the plan, and a new line does not render the catalogue.
 */
export function CreateMode({ actions, isWide, searchRef }: CreateModeProps) {
  return (
    <Flex direction={isWide ? 'row' : 'column'} flex="1" minHeight="0">
      <Catalogue searchRef={searchRef} />
      {isWide ? <PlanAside actions={actions} /> : <PlanSheet actions={actions} />}
    </Flex>
  );
}

function PlanAside({ actions }: { actions: PlanActions }) {
  const plan = usePricedPlan();
  const currency = useCurrency();
  return (
    <chakra.aside
      width={{ base: '20rem', lg: '22rem', xl: '25rem' }}
      flexShrink={0}
      minHeight="0"
      bg="bg.surface"
      borderInlineStartWidth="1px"
      borderColor="border"
    >
      <PlanPanel plan={plan} currency={currency} actions={actions} />
    </chakra.aside>
  );
}

function PlanSheet({ actions }: { actions: PlanActions }) {
  const { t } = useTranslation();
  const plan = usePricedPlan();
  const currency = useCurrency();
  const [open, setOpen] = useState(false);
  const sheetActions = useMemo(
    () => ({
      ...actions,
      save: async () => {
        await actions.save();
        if (currentDraft(usePlan.getState()).lines.length === 0) setOpen(false);
      },
    }),
    [actions],
  );
  return (
    <>
      <Flex px="4" py="3" paddingBottom="calc(0.75rem + env(safe-area-inset-bottom))">
        <Button variant="primary" size="lg" wide px="4" boxShadow="raised" onClick={() => setOpen(true)}>
          <ClipboardList />
          <chakra.span srOnly>{t('counter.plan.open')}</chakra.span>
          <chakra.span flex="1" textAlign="start" fontSize="md">
            {t('counter.plan.services', { count: plan.serviceCount })}
          </chakra.span>
          <MoneyText minor={plan.totalMinor} currency={currency} />
        </Button>
      </Flex>
      <Sheet
        open={open}
        onClose={() => setOpen(false)}
        title={t('counter.plan.title')}
        closeLabel={t('counter.plan.close')}
      >
        <chakra.div height="calc(88dvh - 4.5rem)">
          <PlanPanel plan={plan} currency={currency} actions={sheetActions} />
        </chakra.div>
      </Sheet>
    </>
  );
}
