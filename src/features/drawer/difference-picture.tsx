import { chakra, Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import type { ByMethod } from '#domain/drawer/drawer.ts';
import { sumOf } from '#domain/drawer/report.ts';
import { currencyLabel, formatMinor } from '#domain/money.ts';
import { paymentMethods } from '#domain/order/vocabulary.ts';

/**
 * Shows at a glance whether the count is right: a sentence, and for each method in use a bar of what is there, with the
 * part that is missing or too much at its end. The table below has the figures, so screen readers hear the sentence only.
 */
export function DifferencePicture({
  expected,
  counted,
  currency,
}: {
  expected: ByMethod;
  counted: ByMethod;
  currency: string;
}) {
  const { t } = useTranslation();
  const label = currencyLabel(currency);
  const differenceMinor = sumOf(counted) - sumOf(expected);
  const isExact = paymentMethods.every((method) => counted[method] === expected[method]);
  const used = paymentMethods.filter((method) => method === 'cash' || expected[method] !== 0 || counted[method] !== 0);
  const largest = Math.max(1, ...used.flatMap((method) => [expected[method], counted[method]]));
  const amount = formatMinor(Math.abs(differenceMinor), label);
  return (
    <div>
      <chakra.output
        display="block"
        fontSize="lg"
        fontWeight="semibold"
        lineHeight="tight"
        fontVariantNumeric="tabular-nums"
        color={isExact ? 'paid.fg' : differenceMinor < 0 ? 'refused.fg' : 'due.fg'}
      >
        {isExact
          ? t('drawer.compare.exact')
          : differenceMinor === 0
            ? t('drawer.compare.mixed')
            : t(differenceMinor < 0 ? 'drawer.compare.short' : 'drawer.compare.over', { amount })}
      </chakra.output>
      <chakra.div
        aria-hidden
        display="grid"
        gridTemplateColumns="auto minmax(0, 1fr)"
        alignItems="center"
        columnGap="3"
        rowGap="2"
        mt="3"
        fontSize="sm"
        color="fg.muted"
      >
        {used.map((method) => (
          <Bar
            key={method}
            name={t(`counter.methods.${method}`)}
            expectedMinor={expected[method]}
            countedMinor={counted[method]}
            largestMinor={largest}
          />
        ))}
      </chakra.div>
    </div>
  );
}

/** A difference is never narrower than this, so that a missing cent can be seen. */
const narrowest = '0.375rem';

function Bar({
  name,
  expectedMinor,
  countedMinor,
  largestMinor,
}: {
  name: string;
  expectedMinor: number;
  countedMinor: number;
  largestMinor: number;
}) {
  const bothMinor = Math.max(0, Math.min(expectedMinor, countedMinor));
  const differenceMinor = countedMinor - expectedMinor;
  const width = (minor: number) => `${(Math.max(0, minor) / largestMinor) * 100}%`;
  return (
    <>
      <span>{name}</span>
      <Flex height="4" gap="2px" borderRadius="sm" overflow="hidden" bg="bg.sunken">
        {bothMinor > 0 && <chakra.div bg="accent.solid" style={{ width: width(bothMinor) }} />}
        {differenceMinor !== 0 && (
          <chakra.div
            flexShrink={0}
            minWidth={narrowest}
            {...(differenceMinor < 0
              ? { borderWidth: '2px', borderStyle: 'dashed', borderColor: 'refused.fg', bg: 'refused.subtle' }
              : { bg: 'due.fg' })}
            style={{ width: width(Math.abs(differenceMinor)) }}
          />
        )}
      </Flex>
    </>
  );
}
