import { chakra, Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { sameWeekdays } from '../../../domain/report/now.ts';
import type { SameHour } from '../../../domain/report/now.ts';
import { changeOf } from '../../../domain/report/totals.ts';
import { useMoney } from '../../formats/money.tsx';
import { useClinicFormats } from '../../formats/use-formats.ts';
import { Panel } from '../../ui/panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

/** Compares the revenue so far with the same hour of the last same weekdays. */
export function SameHourPanel({ day, figures }: { day: string | undefined; figures: SameHour | undefined }) {
  const { t } = useTranslation();
  const { day: dayText, growth } = useClinicFormats();
  const money = useMoney();
  const largest = Math.max(1, figures?.today ?? 0, ...(figures?.days.map(({ revenue }) => revenue) ?? []));
  const usual = figures?.usual ?? null;
  const change = figures && usual !== null && usual > 0 ? changeOf(figures.today, usual) : null;
  return (
    <Panel title={t('dashboard.sameHour.title', { time: figures?.time ?? '' })}>
      <Flex direction="column" px="4" pb="4" gap="3" flex="1" fontVariantNumeric="tabular-nums">
        {!figures || !day ? (
          // As high as the figure, its comparison and five rows.
          <Skeleton height="13.1875rem" aria-busy />
        ) : (
          <>
            <div>
              <chakra.p fontSize="xl" fontWeight="semibold" lineHeight="tight" letterSpacing="tight">
                {money(figures.today)}
              </chakra.p>
              <chakra.p fontSize="sm" color="fg.muted" mt="1" minHeight="5">
                {usual === null ? (
                  t('dashboard.sameHour.none')
                ) : (
                  <>
                    {change !== null && (
                      <chakra.span color={change < 0 ? 'refused.fg' : 'paid.fg'} fontWeight="medium">
                        {growth(change)}{' '}
                      </chakra.span>
                    )}
                    {t('dashboard.sameHour.usual', { amount: money(usual) })}
                  </>
                )}
              </chakra.p>
            </div>
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
                return <Row key={past} name={dayText(past)} value={value} share={(revenue ?? 0) / largest} />;
              })}
              <Row
                name={t('reports.periods.today')}
                value={money(figures.today)}
                share={figures.today / largest}
                isToday
              />
            </chakra.dl>
          </>
        )}
      </Flex>
    </Panel>
  );
}

function Row({
  name,
  value,
  share,
  isToday = false,
}: {
  name: string;
  value: string;
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
