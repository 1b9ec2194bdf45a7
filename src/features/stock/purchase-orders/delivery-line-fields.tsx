import { chakra, Flex } from '@chakra-ui/react';
import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { PurchaseOrderItemResource } from '#domain/stock/resources.ts';
import type { DraftForm } from '#src/forms/draft-form.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { Badge } from '#src/ui/badge.tsx';
import { FormDateField } from '#src/forms/date-field.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { StyledButton } from '#src/ui/styled.tsx';
import { FormMoneyField } from '#src/forms/money-field.tsx';
import { QuantityField } from '#src/forms/quantity-field.tsx';
import { useUnitName } from '#src/formats/use-unit-name.ts';
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
export function DeliveryLineFields({ form, index, line, item, showsErrors, onSplit }: DeliveryLineProps) {
  const { t } = useTranslation();
  const { register } = form;
  const formats = useClinicFormats();
  const unitName = useUnitName();
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
        {line.is_new && (
          <chakra.p my="1">
            <Badge tone="due">{t('purchasing.receive.isNew')}</Badge>
          </chakra.p>
        )}
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
          <QuantityField
            form={form}
            name={`items.${index}.quantity`}
            unit={unit}
            label={t('purchasing.receive.quantity')}
            error={errorOf('quantity')}
          />
          <FormMoneyField
            form={form}
            name={`items.${index}.unit_cost`}
            label={t('purchasing.columns.unitCost')}
            error={errorOf('unit_cost')}
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
              <FormDateField
                form={form}
                name={`items.${index}.expires_on`}
                label={t('purchasing.receive.expires')}
                error={errorOf('expires_on')}
              />
            </>
          )}
        </chakra.div>
        {tracks_lots && (
          <StyledButton
            size="sm"
            variant="quiet"
            ms="-3"
            aria-label={t('purchasing.receive.splitOf', { name })}
            onClick={onSplit}
          >
            <Plus />
            {t('purchasing.receive.split')}
          </StyledButton>
        )}
      </Flex>
    </chakra.li>
  );
}
