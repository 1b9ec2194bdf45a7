import { chakra, Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import type { StockActivity } from '#domain/stock/resources.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { Panel } from '#src/ui/panel.tsx';
import { Skeleton } from '#src/ui/skeleton.tsx';

/** Colour of a day's bar, by the number of transactions that also stands above the bar. */
function colourOf(count: number): string {
  if (count > 3) return 'paid.fg';
  if (count > 1) return 'blue.fg';
  return count === 1 ? 'border.strong' : 'border';
}

/** Number of transactions on each of the last seven days. */
export function WeeklyActivity({ days }: { days: StockActivity['days'] | undefined }) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const most = Math.max(1, ...(days ?? []).map(({ count }) => count));
  return (
    <Panel title={t('stock.dashboard.week')}>
      {!days ? (
        <Skeleton flex="1" minHeight="32" mx="4" mb="4" />
      ) : (
        <Flex as="ol" listStyleType="none" flex="1" minHeight="32" gap="2" px="4" pb="4">
          {days.map(({ day, count }) => (
            <chakra.li
              key={day}
              flex="1"
              minWidth="0"
              display="flex"
              flexDirection="column"
              alignItems="center"
              fontVariantNumeric="tabular-nums"
            >
              <chakra.span srOnly>{t('stock.dashboard.dayCount', { day: formats.day(day), count })}</chakra.span>
              <Flex aria-hidden direction="column" align="center" justify="flex-end" flex="1" width="full" gap="1">
                <chakra.span fontSize="sm" fontWeight="medium" color={count > 0 ? 'fg' : 'fg.muted'} lineHeight="tight">
                  {formats.quantity(count)}
                </chakra.span>
                <chakra.div
                  width="full"
                  maxWidth="12"
                  minHeight="1"
                  bg={colourOf(count)}
                  style={{ flexBasis: `${(count / most) * 75}%` }}
                />
                <chakra.span fontSize="sm" color="fg.muted" lineHeight="tight" pt="0.5">
                  {formats.weekday(day)}
                </chakra.span>
              </Flex>
            </chakra.li>
          ))}
        </Flex>
      )}
    </Panel>
  );
}
