/** What stands where somebody worked on a drawer that another person has closed meanwhile. */
import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatAmount, formatMinor } from '#domain/money.ts';
import { sumOf } from '#domain/drawer/report.ts';
import { paymentMethods } from '#domain/order/vocabulary.ts';
import type { LocalDrawer } from '#src/db/queries/drawers.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { Banner } from '#src/ui/banner.tsx';
import { Button } from '#src/ui/button.tsx';
import { AmountCell, AmountRow, AmountTable } from './amount-table.tsx';
import { DrawerCard } from './drawer-card.tsx';
import type { CountDraft } from './count-draft.ts';

/** Says who has closed the drawer, when and with which count. */
export function ClosedBanner({ drawer, text }: { drawer: LocalDrawer; text?: string }) {
  const { t } = useTranslation();
  const { dateTime } = useClinicFormats();
  const { close, people, currency } = drawer;
  if (!close) return null;
  return (
    <Banner
      tone="due"
      title={t('drawer.overtaken.title', {
        name: people[close.actorId] ?? t('drawer.report.unknown', { id: close.actorId }),
        time: dateTime(close.atMs),
        amount: formatMinor(sumOf(close.counted), currencyLabel(currency)),
      })}
    >
      {text}
    </Banner>
  );
}

interface OvertakenCountProps {
  drawer: LocalDrawer;
  count: CountDraft;
  onClose: () => void;
}

/** Keeps a count in sight beside the one that stands, until the person who counted has read both. */
export function OvertakenCount({ drawer, count, onClose }: OvertakenCountProps) {
  const { t } = useTranslation();
  const { close, currency } = drawer;
  if (!close) return null;
  const pieces = Object.entries(count.pieces ?? {}).filter(([, text]) => text.trim() !== '');
  const columns = [
    t('drawer.report.method', { currency: currencyLabel(currency) }),
    t('drawer.overtaken.stored'),
    t('drawer.overtaken.yours'),
  ];
  return (
    <DrawerCard title={t('drawer.overtaken.heading')} text={t('drawer.overtaken.count')}>
      <chakra.div display="flex" flexDirection="column" gap="5">
        <ClosedBanner drawer={drawer} />
        <AmountTable columns={columns}>
          {paymentMethods.map((method) => (
            <AmountRow key={method} name={t(`counter.methods.${method}`)}>
              <AmountCell>{formatAmount(close.counted[method])}</AmountCell>
              {/* As it was typed: it may be no amount yet. */}
              <AmountCell>{count.amounts[method].trim() || '–'}</AmountCell>
            </AmountRow>
          ))}
        </AmountTable>
        {pieces.length > 0 && (
          <p>{pieces.map(([denomination, text]) => `${formatAmount(Number(denomination))} × ${text}`).join(' · ')}</p>
        )}
        {count.notes && (
          <p>
            {t('drawer.count.notes')}: {count.notes}
          </p>
        )}
        <Button size="lg" onClick={onClose}>
          {t('drawer.overtaken.dismiss')}
        </Button>
      </chakra.div>
    </DrawerCard>
  );
}
