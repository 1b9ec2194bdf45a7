import { chakra, Flex } from '@chakra-ui/react';
import { ArrowDownToLine, ArrowUpFromLine, LockKeyhole } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { MoneyMove } from '#src/db/commands/drawers.ts';
import type { LocalDrawer } from '#src/db/queries/drawers.ts';
import { MoneyText } from '#src/formats/money.tsx';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { SentBadge } from '#src/sync/sent-badge.tsx';
import { Panel } from '#src/ui/panel.tsx';
import { StyledButton } from '#src/ui/styled.tsx';
import { DrawerCard } from './drawer-card.tsx';
import { useCount } from './count-draft.ts';
import { Movements } from './movements.tsx';

/** A narrow card has a row for what moves money, and one for the end of the day. */
const inOneRow = {
  '@container (width >= 30rem)': {
    gridTemplateColumns: 'repeat(3, minmax(0, 1fr))',
    '& > :last-child': { gridColumn: 'auto' },
  },
};

interface CurrentDrawerProps {
  drawer: LocalDrawer;
  onMove: (direction: MoneyMove['direction']) => void;
}

/** Shows the open drawer and its actions. The expected amount stays hidden until the drawer is counted. */
export function CurrentDrawer({ drawer, onMove }: CurrentDrawerProps) {
  const { t } = useTranslation();
  const { dateTime } = useClinicFormats();
  const { currency } = drawer;
  const startCount = useCount((count) => count.start);
  const openedBy = drawer.people[drawer.openedBy] ?? t('drawer.report.unknown', { id: drawer.openedBy });
  return (
    <>
      <DrawerCard
        title={t('drawer.state.since', { time: dateTime(drawer.openedAtMs) })}
        text={`${t('drawer.state.by', { name: openedBy })} ${t('drawer.state.on', { code: drawer.deviceCode })}`}
        end={<SentBadge unsent={drawer.unsent} />}
      >
        <Flex justify="space-between" align="baseline" gap="4" pt="4" borderTopWidth="1px" borderColor="border">
          <chakra.span color="fg.muted">{t('drawer.state.float')}</chakra.span>
          <MoneyText minor={drawer.floatMinor} currency={currency} fontSize="lg" fontWeight="semibold" />
        </Flex>
        <chakra.p fontSize="sm" color="fg.muted" mt="1">
          {t('drawer.state.hidden')}
        </chakra.p>
        <chakra.div mt="5" css={{ containerType: 'inline-size' }}>
          <chakra.div display="grid" gap="2" gridTemplateColumns="1fr 1fr" css={inOneRow}>
            <StyledButton size="lg" px="2" fontSize="md" lineHeight="tight" onClick={() => onMove('in')}>
              <ArrowDownToLine />
              {t('drawer.actions.in')}
            </StyledButton>
            <StyledButton size="lg" px="2" fontSize="md" lineHeight="tight" onClick={() => onMove('out')}>
              <ArrowUpFromLine />
              {t('drawer.actions.out')}
            </StyledButton>
            <StyledButton
              size="lg"
              gridColumn="1 / -1"
              fontSize="md"
              variant="primary"
              onClick={() => startCount(drawer.id)}
            >
              <LockKeyhole />
              {t('drawer.actions.close')}
            </StyledButton>
          </chakra.div>
        </chakra.div>
      </DrawerCard>
      <Panel title={t('drawer.state.movements')}>
        <chakra.div px="4" pb="2">
          {drawer.movements.length === 0 ? (
            <chakra.p color="fg.muted" pb="2">
              {t('drawer.state.noMovements')}
            </chakra.p>
          ) : (
            <Movements
              movements={drawer.movements.map((movement) => ({ ...movement, isLate: false }))}
              people={drawer.people}
              currency={currency}
            />
          )}
        </chakra.div>
      </Panel>
    </>
  );
}
