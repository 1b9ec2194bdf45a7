import { chakra, Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import type { ReportedMovement } from '#domain/drawer/report.ts';
import { MoneyText } from '#src/formats/money.tsx';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { Badge } from '#src/ui/badge.tsx';

interface MovementsProps {
  movements: readonly ReportedMovement[];
  people: Record<string, string>;
  currency: string;
}

export function Movements({ movements, people, currency }: MovementsProps) {
  const { t } = useTranslation();
  const { dateTime } = useClinicFormats();
  return (
    <chakra.ul listStyleType="none">
      {movements.map(({ opId, amountMinor, reason, actorId, atMs, isLate }) => (
        <chakra.li
          key={opId}
          display="flex"
          justifyContent="space-between"
          alignItems="baseline"
          gap="4"
          py="3"
          borderTopWidth="1px"
          borderColor="border"
        >
          <chakra.div minWidth="0">
            <Flex gap="2" align="baseline" wrap="wrap">
              <chakra.span fontWeight="medium" overflowWrap="anywhere">
                {reason}
              </chakra.span>
              {isLate && <Badge tone="due">{t('drawer.move.late')}</Badge>}
            </Flex>
            <chakra.p fontSize="sm" color="fg.muted">
              {t(amountMinor < 0 ? 'drawer.move.out' : 'drawer.move.in')} · {dateTime(atMs)} ·{' '}
              {people[actorId] ?? t('drawer.report.unknown', { id: actorId })}
            </chakra.p>
          </chakra.div>
          <MoneyText minor={amountMinor} currency={currency} fontWeight="medium" />
        </chakra.li>
      ))}
    </chakra.ul>
  );
}
