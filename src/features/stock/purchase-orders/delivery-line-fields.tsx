import { chakra, Flex } from '@chakra-ui/react';
import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { currencyLabel } from '../../../../domain/money.ts';
import { milliToWire } from '../../../../domain/quantity.ts';
import type { PurchaseOrderItemResource } from '../../../../domain/stock/resources.ts';
import { stepMilli } from '../../../../domain/stock/vocabulary.ts';
import { asNumber } from '../../../forms/draft-form.ts';
import type { DraftForm } from '../../../forms/draft-form.ts';
import { useCurrency } from '../../../local-data/use-clinic-settings.ts';
import { useClinicFormats } from '../../../formats/use-formats.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { NumberField } from '../form/number-field.tsx';
import { useUnitName } from '../../../formats/use-unit-name.ts';
import { lineProblems, outstandingQuantity } from './delivery-draft.ts';
import type { DeliveryDraft, DeliveryLine } from './delivery-draft.ts';

interface DeliveryLineProps {
  form: DraftForm<DeliveryDraft>;
  index: number;
  line: DeliveryLine;
  item: PurchaseOrderItemResource;
  /** True once the form was validated, so that errors show. */
  showsErrors: boolean;
  /** Adds a line for a part that was delivered in another lot. */
  onSplit: () => void;
}

/** Delivered quantity, actual unit cost and lot of one line. */
export function DeliveryLineFields({ form: { register }, index, line, item, showsErrors, onSplit }: DeliveryLineProps) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const unitName = useUnitName();
  const currency = currencyLabel(useCurrency());
  const { name, unit, tracks_lots } = item;
  const problems = showsErrors ? lineProblems(line, item) : {};
  const errorOf = (field: keyof DeliveryLine) => problems[field] && t(`problems.${problems[field]}`);
  return (
    <chakra.li
      aria-label={name}
      display="grid"
      gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: '16rem minmax(0, 1fr)' }}
      columnGap="6"
      rowGap="3"
      py="4"
      borderBottomWidth="1px"
      borderColor="border"
    >
      <chakra.div lineHeight="1.35">
        <chakra.p fontWeight="medium" overflowWrap="anywhere">
          {name}
        </chakra.p>
        <chakra.p fontSize="sm" color="fg.muted">
          {t('purchasing.receive.missing', {
            missing: formats.quantity(outstandingQuantity(item)),
            ordered: formats.quantity(item.quantity),
            unit: unitName(unit),
          })}
        </chakra.p>
      </chakra.div>
      <Flex direction="column" gap="2" align="flex-start">
        <chakra.div
          display="grid"
          width="full"
          gridTemplateColumns={{ base: '1fr 1fr', md: 'repeat(4, minmax(0, 1fr))' }}
          gap="3"
          alignItems="start"
        >
          <NumberField
            label={t('purchasing.receive.quantity')}
            step={milliToWire(stepMilli(unit))}
            unit={unitName(unit)}
            error={errorOf('quantity')}
            {...register(`items.${index}.quantity`, asNumber)}
          />
          <NumberField
            label={t('purchasing.columns.unitCost')}
            step={0.01}
            unit={currency}
            error={errorOf('unit_cost')}
            {...register(`items.${index}.unit_cost`, asNumber)}
          />
          {tracks_lots && (
            <>
              <TextField
                label={t('purchasing.receive.lot')}
                maxLength={100}
                autoComplete="off"
                error={errorOf('lot_number')}
                {...register(`items.${index}.lot_number`)}
              />
              <TextField
                label={t('purchasing.receive.expires')}
                type="date"
                error={errorOf('expires_on')}
                {...register(`items.${index}.expires_on`)}
              />
            </>
          )}
        </chakra.div>
        {tracks_lots && (
          <Button
            size="sm"
            variant="quiet"
            ms="-3"
            aria-label={t('purchasing.receive.splitOf', { name })}
            onClick={onSplit}
          >
            <Plus />
            {t('purchasing.receive.split')}
          </Button>
        )}
      </Flex>
    </chakra.li>
  );
}
