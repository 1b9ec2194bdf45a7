import { chakra, Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import type { UnsentMoney as Summary } from '#src/db/queries/tray.ts';
import { MoneyText } from '#src/formats/money.tsx';

export function UnsentPayments({ summary, currency }: { summary: Summary; currency: string }) {
  const { t } = useTranslation();
  return (
    <chakra.section
      aria-labelledby="outbox-money"
      display="flex"
      flexWrap="wrap"
      alignItems="baseline"
      columnGap="8"
      rowGap="2"
      px="4"
      py="2"
      bg="bg.surface"
      borderWidth="1px"
      borderColor="border"
      borderRadius="md"
    >
      <Flex direction="column" me="auto">
        <chakra.h2 id="outbox-money" fontSize="sm" color="fg.muted">
          {t('outbox.money.title')}
        </chakra.h2>
        <Flex align="baseline" gap="2" wrap="wrap">
          <MoneyText minor={summary.totalMinor} currency={currency} fontSize="xl" fontWeight="semibold" />
          <chakra.span color="fg.muted">{t('outbox.money.count', { count: summary.payments })}</chakra.span>
        </Flex>
      </Flex>
      <chakra.dl display="flex" flexWrap="wrap" columnGap="6" rowGap="2">
        {summary.byMethod.map(({ method, count, amountMinor }) => (
          <Flex key={method} direction="column">
            <chakra.dt fontSize="sm" color="fg.muted" fontVariantNumeric="tabular-nums">
              {t(`counter.methods.${method}`)} · {count}
            </chakra.dt>
            <dd>
              <MoneyText minor={amountMinor} currency={currency} fontWeight="medium" />
            </dd>
          </Flex>
        ))}
      </chakra.dl>
    </chakra.section>
  );
}
