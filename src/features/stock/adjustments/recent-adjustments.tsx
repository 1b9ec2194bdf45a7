import { chakra, Flex } from '@chakra-ui/react';
import { useLiveQuery } from '#src/local-data/live.ts';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { db } from '#src/local-data/database.ts';
import { pathOf } from '#src/navigation/path-of.ts';
import { recentAdjustments } from '#src/db/queries/stock-levels.ts';
import type { LocalAdjustment } from '#src/db/queries/stock-levels.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { SentBadge } from '#src/sync/sent-badge.tsx';
import { useSession } from '#src/session/session.ts';
import { Badge } from '#src/ui/badge.tsx';
import { useQuantityFormats } from '../quantity-text.tsx';

const shown = 5;

/** Latest adjustments made on this device, with their author and sync state. */
export function RecentAdjustments() {
  const { t } = useTranslation();
  const headingId = useId();
  const adjustments = useLiveQuery(() => recentAdjustments(db, { limit: shown }), []) ?? [];
  const code = useLiveQuery(async () => (await db.device.get('this'))?.code, []) ?? '';
  const role = useSession(({ user }) => user?.role) ?? 'counter';
  return (
    <chakra.section aria-labelledby={headingId}>
      <chakra.h2 id={headingId} fontSize="md" fontWeight="semibold">
        {t('stock.adjust.recent.title')}
      </chakra.h2>
      {adjustments.length === 0 && (
        <chakra.p fontSize="sm" color="fg.muted" mt="1">
          {t('stock.adjust.recent.empty')}
        </chakra.p>
      )}
      <ul aria-labelledby={headingId}>
        {adjustments.map((adjustment) => (
          <Row key={adjustment.opId} adjustment={adjustment} code={code} />
        ))}
      </ul>
      {adjustments.some(({ where }) => where === 'refused') && (
        <chakra.p py="2" color="accent.fg" fontWeight="medium">
          <Link to={pathOf(role, 'outbox')}>{t('stock.adjust.recent.openOutbox')}</Link>
        </chakra.p>
      )}
    </chakra.section>
  );
}

const signs = { add: 1, subtract: -1 };

function Row({
  adjustment: { item, action, amountMilli, notes, actor, atMs, where },
  code,
}: {
  adjustment: LocalAdjustment;
  code: string;
}) {
  const { t } = useTranslation();
  const { quantity, change } = useQuantityFormats();
  const formats = useClinicFormats();
  const unit = item?.unit ?? '';
  const details = [
    actor || t('stock.adjust.recent.unknown'),
    t('stock.adjust.recent.device', { code }),
    formats.dateTime(atMs),
    notes,
  ];
  return (
    <chakra.li py="3" css={{ '& + &': { borderTop: '1px solid {colors.border}' } }}>
      <Flex align="baseline" justify="space-between" gap="3">
        <chakra.span fontWeight="medium" minWidth="0" overflowWrap="anywhere">
          {item?.name ?? t('stock.adjust.recent.gone')}
        </chakra.span>
        <chakra.span flexShrink={0} fontVariantNumeric="tabular-nums">
          {action === 'set'
            ? t('stock.adjust.recent.counted', { amount: quantity(amountMilli, unit) })
            : change(signs[action] * amountMilli, unit)}
        </chakra.span>
      </Flex>
      <Flex align="center" justify="space-between" gap="3" mt="1">
        <chakra.span fontSize="sm" color="fg.muted" minWidth="0" overflowWrap="anywhere" lineClamp="2">
          {details.filter(Boolean).join(' · ')}
        </chakra.span>
        {where === 'refused' || where === 'voided' ? (
          <Badge tone={where === 'refused' ? 'refused' : 'neutral'}>{t(`stock.adjust.recent.${where}`)}</Badge>
        ) : (
          <SentBadge unsent={where === 'device'} />
        )}
      </Flex>
    </chakra.li>
  );
}
