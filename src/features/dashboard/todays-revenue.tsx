import { chakra, Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import type { ReactNode } from 'react';
import { sameWeekdays } from '#domain/report/now.ts';
import type { SameHour } from '#domain/report/now.ts';
import type { DashboardStats } from '#domain/report/resources.ts';
import { changeOf } from '#domain/report/totals.ts';
import { useMoney } from '#src/formats/money.tsx';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { Panel } from '#src/ui/panel.tsx';
import { Skeleton } from '#src/ui/skeleton.tsx';

interface TodaysRevenueProps {
  /** Today; undefined until the clinic's clock is known. */
  day: string | undefined;
  stats: DashboardStats | undefined;
  /** Undefined while loading; null if the server did not tell. */
  sameHour: SameHour | null | undefined;
}

/** The revenue of today, compared with the same hour of the last same weekdays. */
export function TodaysRevenue({ day, stats, sameHour }: TodaysRevenueProps) {
  const { t } = useTranslation();
  const money = useMoney();
  const isReady = stats && day && sameHour !== undefined;
  return (
    <Panel title={t('dashboard.cards.revenue')}>
      <Flex direction="column" px="4" pb="4" gap="3" flex="1" fontVariantNumeric="tabular-nums">
        {!isReady ? (
          // As high as the figure, its comparison and five rows.
          <Skeleton height="calc({fontSizes.xl} * {lineHeights.tight} + 10.8125rem)" aria-busy />
        ) : (
          <>
            <div>
              <chakra.p
                fontSize="xl"
                fontWeight="semibold"
                lineHeight="tight"
                letterSpacing="tight"
                whiteSpace="nowrap"
              >
                {money(stats.todaysRevenue.amount)}
              </chakra.p>
              {sameHour && <Usual figures={sameHour} />}
            </div>
            {sameHour && <Weekdays day={day} figures={sameHour} />}
          </>
        )}
      </Flex>
    </Panel>
  );
}

const usualChange = ({ today, usual }: SameHour): number | null =>
  usual !== null && usual > 0 ? changeOf(today, usual) : null;

function Usual({ figures }: { figures: SameHour }) {
  const { t } = useTranslation();
  const money = useMoney();
  const { usual, time } = figures;
  return (
    <chakra.p fontSize="sm" color="fg.muted" mt="1" minHeight="5">
      {usual === null ? t('dashboard.sameHour.none') : t('dashboard.sameHour.usual', { amount: money(usual), time })}
    </chakra.p>
  );
}

function Weekdays({ day, figures }: { day: string; figures: SameHour }) {
  const { t } = useTranslation();
  const { dayOfMonth, growth } = useClinicFormats();
  const money = useMoney();
  const largest = Math.max(1, figures.today, ...figures.days.map(({ revenue }) => revenue));
  const change = usualChange(figures);
  return (
    <chakra.dl
      display="grid"
      gridTemplateColumns="auto minmax(0, 1fr) auto"
      alignItems="center"
      columnGap="3"
      rowGap="1"
      fontSize="sm"
      mt="auto"
    >
      {sameWeekdays(day).map((past) => {
        const revenue = figures.days.find((each) => each.day === past)?.revenue;
        const value = revenue === undefined ? '–' : money(revenue);
        return <Row key={past} name={dayOfMonth(past)} value={value} share={(revenue ?? 0) / largest} />;
      })}
      <Row
        name={t('reports.periods.today')}
        value={
          change !== null && <chakra.span color={change < 0 ? 'refused.fg' : 'paid.fg'}>{growth(change)}</chakra.span>
        }
        share={figures.today / largest}
        isToday
      />
    </chakra.dl>
  );
}

function Row({
  name,
  value,
  share,
  isToday = false,
}: {
  name: string;
  value: ReactNode;
  share: number;
  isToday?: boolean;
}) {
  return (
    <>
      <chakra.dt color={isToday ? 'fg' : 'fg.muted'} fontWeight={isToday ? 'medium' : 'normal'} whiteSpace="nowrap">
        {name}
      </chakra.dt>
      <chakra.div aria-hidden height="2" borderRadius="full" bg="bg.sunken" overflow="hidden">
        <chakra.div
          height="full"
          borderRadius="full"
          bg={isToday ? 'accent.solid' : 'border.strong'}
          style={{ width: `${Math.max(0, share) * 100}%` }}
        />
      </chakra.div>
      <chakra.dd textAlign="end" whiteSpace="nowrap" fontWeight={isToday ? 'medium' : 'normal'} minHeight="6">
        {value}
      </chakra.dd>
    </>
  );
}
