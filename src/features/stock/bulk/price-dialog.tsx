import { chakra, Flex } from '@chakra-ui/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { percentForm, readDecimal } from '#domain/decimal.ts';
import { minorToWire, withRate } from '#domain/money.ts';
import { MoneyText } from '#src/formats/money.tsx';
import { NumberField } from '#src/forms/number-field.tsx';
import { useCurrency } from '#src/local-data/use-clinic-settings.ts';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { Segmented } from '#src/ui/segmented.tsx';

const directions = ['up', 'down'] as const;
/** The rows whose new price is shown before it is set. */
const shown = 4;

interface PriceDialogProps {
  rows: readonly { name: string; minor: number }[];
  onClose: () => void;
  /** Gets the rule from an old price to a new one, as the API writes it. */
  onChange: (wireOf: (minor: number) => number) => void;
}

/** Asks by how many percent prices rise or fall, and shows what the first would become. */
export function PriceDialog({ rows, onClose, onChange }: PriceDialogProps) {
  const { t } = useTranslation();
  const currency = useCurrency();
  const [direction, setDirection] = useState<(typeof directions)[number]>('up');
  const [text, setText] = useState('');
  const [isSubmitted, setSubmitted] = useState(false);
  const { scaled = null } = readDecimal(text, percentForm);
  const bps = (scaled ?? 0) * (direction === 'up' ? 1 : -1);
  const next = (minor: number) => withRate(minor, bps);
  const isValid = scaled !== null && scaled > 0 && rows.every(({ minor }) => next(minor) > 0);
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('stock.bulk.priceOf', { count: rows.length })}
      onSubmit={() => {
        setSubmitted(true);
        if (!isValid) return;
        onChange((minor) => minorToWire(next(minor)));
        onClose();
      }}
      actions={
        <>
          <Button onClick={onClose}>{t('form.cancel')}</Button>
          <Button type="submit" variant="primary">
            {t('stock.bulk.apply')}
          </Button>
        </>
      }
    >
      <Segmented
        kind="choice"
        label={t('stock.bulk.direction')}
        value={direction}
        onChange={setDirection}
        segments={directions.map((value) => ({ value, label: t(`stock.bulk.${value}`) }))}
      />
      <NumberField
        label={t('stock.bulk.percent')}
        kind={percentForm}
        unit="%"
        text={text}
        onText={setText}
        error={isSubmitted && !isValid ? t('stock.bulk.percentInvalid') : undefined}
      />
      {isValid && (
        <chakra.ul listStyleType="none" fontSize="sm" aria-label={t('stock.bulk.preview')}>
          {rows.slice(0, shown).map(({ name, minor }) => (
            <Flex as="li" key={name} justify="space-between" gap="4" py="1">
              <chakra.span minWidth="0" truncate>
                {name}
              </chakra.span>
              <chakra.span whiteSpace="nowrap" fontVariantNumeric="tabular-nums">
                <MoneyText minor={minor} currency={currency} /> → <MoneyText minor={next(minor)} currency={currency} />
              </chakra.span>
            </Flex>
          ))}
          {rows.length > shown && (
            <chakra.li color="fg.muted">{t('stock.bulk.more', { count: rows.length - shown })}</chakra.li>
          )}
        </chakra.ul>
      )}
    </Dialog>
  );
}
