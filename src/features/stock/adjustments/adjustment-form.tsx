import { chakra, Flex } from '@chakra-ui/react';
import { Minus, Plus } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { textLimits } from '#domain/limits.ts';
import { Button } from '#src/ui/button.tsx';
import { IconButton } from '#src/ui/icon-button.tsx';
import { Segmented } from '#src/ui/segmented.tsx';
import { TextArea } from '#src/ui/text-area.tsx';
import { FormNotes } from '#src/forms/form-notes.tsx';
import { QuantityField } from '#src/forms/quantity-field.tsx';
import { useUnitName } from '#src/formats/use-unit-name.ts';
import { adjustmentActions, canSubmit, steppedAmount } from './adjustment-draft.ts';
import { AdjustmentPreview } from './adjustment-preview.tsx';
import { ItemPicker } from '../form/item-picker.tsx';
import type { Adjustment } from './use-adjustment.ts';

/** Form that adds, subtracts or counts stock. It queues an operation, so it also works offline. */
export function AdjustmentForm({ adjustment }: { adjustment: Adjustment }) {
  const { t } = useTranslation();
  const headingId = useId();
  const { form, item, itemField, chooseItem, chooseAction, submit } = adjustment;
  const { isSubmitting } = form.formState;
  const draft = form.watch();
  return (
    <chakra.form
      aria-labelledby={headingId}
      noValidate
      onSubmit={(event) => void submit(event)}
      display="flex"
      flexDirection="column"
      gap="5"
      p={{ base: '4', md: '6' }}
      bg="bg.surface"
      borderWidth="1px"
      borderColor="border"
      borderRadius="md"
    >
      <div>
        <chakra.h2 id={headingId} fontSize="lg" fontWeight="semibold">
          {t('stock.adjust.title')}
        </chakra.h2>
        <chakra.p fontSize="sm" color="fg.muted" mt="1">
          {t('stock.adjust.text')}
        </chakra.p>
      </div>
      <FormNotes form={form} />
      <ItemPicker
        label={t('stock.adjust.item')}
        hint={t('stock.adjust.itemHint')}
        ref={itemField}
        item={item}
        onChoose={(chosen) => chooseItem(chosen?.id ?? null)}
      />
      <Flex direction="column" gap="1.5">
        <chakra.span aria-hidden fontSize="sm" fontWeight="medium">
          {t('stock.adjust.action')}
        </chakra.span>
        <Segmented
          kind="choice"
          label={t('stock.adjust.action')}
          value={draft.action}
          onChange={chooseAction}
          segments={adjustmentActions.map((action) => ({ value: action, label: t(`stock.adjust.actions.${action}`) }))}
        />
      </Flex>
      <AmountField adjustment={adjustment} />
      <TextArea
        label={t('stock.adjust.notes')}
        error={form.errorOf('notes')}
        rows={2}
        maxLength={textLimits.notes}
        {...form.register('notes')}
      />
      <AdjustmentPreview item={item} draft={draft} />
      <Button type="submit" variant="primary" wide disabled={!item || !canSubmit(draft) || isSubmitting}>
        {t(isSubmitting ? 'stock.adjust.updating' : 'stock.adjust.update')}
      </Button>
    </chakra.form>
  );
}

function AmountField({ adjustment: { form, item } }: { adjustment: Adjustment }) {
  const { t } = useTranslation();
  const unitName = useUnitName();
  const { errorOf, setValue, getValues, watch } = form;
  const unit = item?.unit ?? '';
  const step = (direction: 1 | -1) =>
    setValue('amount', steppedAmount(getValues('amount'), unit, direction), {
      shouldDirty: true,
      shouldValidate: true,
    });
  const isCount = watch('action') === 'set';
  return (
    <QuantityField
      form={form}
      name="amount"
      unit={unit}
      whenEmpty={null}
      label={t('stock.adjust.amount')}
      hint={isCount ? t('stock.adjust.countHint') : item && t('stock.adjust.amountIn', { unit: unitName(unit) })}
      error={errorOf('amount')}
      paddingInlineEnd="28"
      end={
        <Flex>
          <IconButton label={t('stock.adjust.less')} disabled={!item} onClick={() => step(-1)}>
            <Minus />
          </IconButton>
          <IconButton label={t('stock.adjust.more')} disabled={!item} onClick={() => step(1)}>
            <Plus />
          </IconButton>
        </Flex>
      }
    />
  );
}
