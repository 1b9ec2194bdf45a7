import { chakra, Flex } from '@chakra-ui/react';
import { useId, useRef } from 'react';
import type { ComponentProps } from 'react';
import { useFieldArray } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { PurchaseOrderResource, PurchaseSuggestion } from '#domain/stock/resources.ts';
import { purchaseProblems } from '#domain/stock/drafts.ts';
import { purchaseFormOf } from '#domain/stock/purchasing.ts';
import { useDraftForm } from '#src/forms/draft-form.ts';
import type { DraftForm } from '#src/forms/draft-form.ts';
import { edited } from '#src/forms/edited-record.ts';
import { useFieldTexts } from '#src/forms/use-field-texts.ts';
import { useSaveRecord } from '#src/forms/use-save-record.ts';
import { useUnitName } from '#src/formats/use-unit-name.ts';
import { purchaseOrderPaths, usePurchaseSuggestions } from '#src/server-data/purchasing.ts';
import { useCurrency } from '#src/local-data/use-clinic-settings.ts';
import { FormSection, WholeRow } from '#src/forms/form-section.tsx';
import { MoneyText } from '#src/formats/money.tsx';
import { TextArea } from '#src/ui/text-area.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { FullScreenForm } from '#src/forms/form-frames.tsx';
import { OrderLineFields } from './order-line-fields.tsx';
import { blankOrder, draftOf, draftTotal, lineOfSuggestion, purchaseBody } from './order-draft.ts';
import type { OrderDraft, OrderFormRecord, OrderLine } from './order-draft.ts';
import { useSupplies } from '../use-supplies.ts';
import { Suggestions } from './suggestions.tsx';

interface OrderFormProps {
  /** The draft order to edit, or `new` to create one. */
  order: PurchaseOrderResource | 'new';
  /** Why the order is no more; undefined for one that exists. */
  gone?: string | undefined;
  /** @param saved id of the created or updated order; undefined when the user cancelled */
  onClose: (saved?: number) => void;
}

export function OrderForm({ order, gone, onClose }: OrderFormProps) {
  const { t } = useTranslation();
  const isNew = order === 'new';
  const texts = useFieldTexts();
  const supplies = useSupplies();
  const unitName = useUnitName();
  const saved = useRef<number>(undefined);
  const name = `purchase:${isNew ? 'new' : order.id}`;
  const form = useDraftForm<OrderDraft>({
    name,
    initial: blankOrder,
    record: edited<OrderFormRecord, OrderDraft>(isNew ? 'new' : purchaseFormOf(order), {
      draftOf: (record) => draftOf(record, supplies, isNew ? [] : order.items),
      bodyOf: purchaseBody,
      views: {
        vendor: { label: t('purchasing.fields.vendor') },
        vendor_contact: { label: t('purchasing.fields.contact') },
        notes: { label: t('purchasing.fields.notes') },
        items: {
          label: t('purchasing.columns.items'),
          text: (lines: OrderLine[]) =>
            lines
              .map(
                ({ name: item, unit, quantity, unit_cost }) =>
                  `${item}: ${texts.quantity(quantity)} ${unitName(unit)} × ${texts.money(unit_cost)}`,
              )
              .join('\n'),
        },
      },
    }),
    problemsOf: (draft) => purchaseProblems(purchaseBody(draft)),
  });
  const saving = useSaveRecord<OrderDraft, PurchaseOrderResource>({
    form,
    path: isNew ? 'purchase-orders' : `purchase-orders/${order.id}`,
    bodyOf: purchaseBody,
    refreshes: purchaseOrderPaths,
    done: () => t(isNew ? 'purchasing.created' : 'purchasing.updated'),
    failed: t(isNew ? 'purchasing.createFailed' : 'purchasing.updateFailed'),
    keepAs: `${name}:sent`,
    shownOf: purchaseFormOf,
    onStored: ({ id }) => {
      saved.current = id;
    },
  });
  return (
    <FullScreenForm
      form={form}
      title={t(isNew ? 'purchasing.form.createTitle' : 'purchasing.form.editTitle')}
      isNew={isNew}
      submitLabel={t(isNew ? 'purchasing.form.create' : 'purchasing.form.update')}
      save={saving.save}
      over={
        gone ??
        (!isNew && order.status !== 'draft'
          ? t('purchasing.form.over', { status: t(`purchasing.status.${order.status}`) })
          : undefined)
      }
      onClose={() => onClose(saved.current)}
      maxWidth="72rem"
      footer={<OrderTotal form={form} hideBelow="sm" me="auto" alignSelf="center" />}
    >
      <OrderFields form={form} />
    </FullScreenForm>
  );
}

function OrderFields({ form }: { form: DraftForm<OrderDraft> }) {
  const { t } = useTranslation();
  const vendorsId = useId();
  const { control, register, errorOf, watch, setValue } = form;
  const { fields, append, remove } = useFieldArray({ control, name: 'items' });
  const [items, vendor] = watch(['items', 'vendor']);
  const lowItems = usePurchaseSuggestions();
  const suggestions = lowItems.value?.data ?? [];
  /** Adds the items and fills in their supplier as the vendor, unless a vendor is already entered. */
  function add({ supplier, supplier_contact }: PurchaseSuggestion, suggested: PurchaseSuggestion['items']) {
    // Without the focus: it would scroll the list of suggestions away from under the pointer.
    append(suggested.map(lineOfSuggestion), { shouldFocus: false });
    if (vendor.trim() !== '') return;
    setValue('vendor', supplier, { shouldDirty: true, shouldValidate: true });
    setValue('vendor_contact', supplier_contact, { shouldDirty: true });
  }
  return (
    <>
      <FormSection title={t('purchasing.suggestions.title')} text={t('purchasing.suggestions.text')}>
        <WholeRow>
          <Suggestions
            picked={items.map(({ stock_id }) => stock_id)}
            onAdd={(suggestion, suggested) => add(suggestion, [...suggested])}
          />
        </WholeRow>
      </FormSection>
      {/* After the suggestions, whose number nobody knows before. */}
      {(lowItems.value ?? lowItems.fault) && (
        <>
          <FormSection title={t('purchasing.form.vendor.title')} text={t('purchasing.form.vendor.text')}>
            <TextField
              label={t('purchasing.fields.vendor')}
              list={vendorsId}
              autoComplete="off"
              error={errorOf('vendor')}
              {...register('vendor')}
            />
            <datalist id={vendorsId}>
              {suggestions.map(({ supplier }) => (
                <option key={supplier}>{supplier}</option>
              ))}
            </datalist>
            <TextField
              label={t('purchasing.fields.contact')}
              autoComplete="off"
              error={errorOf('vendor_contact')}
              {...register('vendor_contact')}
            />
          </FormSection>
          <FormSection title={t('purchasing.columns.items')} text={t('purchasing.form.itemsText')}>
            <WholeRow display="flex" flexDirection="column" gap="4">
              <OrderLineFields form={form} fields={fields} onAdd={append} onRemove={remove} />
              <OrderTotal form={form} hideFrom="sm" justify="space-between" />
            </WholeRow>
          </FormSection>
          <FormSection title={t('purchasing.fields.notes')} text={t('purchasing.form.notesText')}>
            <WholeRow>
              <TextArea
                label={t('purchasing.fields.notes')}
                labelHidden
                rows={3}
                error={errorOf('notes')}
                {...register('notes')}
              />
            </WholeRow>
          </FormSection>
        </>
      )}
    </>
  );
}

function OrderTotal({ form, ...rest }: ComponentProps<typeof Flex> & { form: DraftForm<OrderDraft> }) {
  const { t } = useTranslation();
  const currency = useCurrency();
  return (
    <Flex align="baseline" gap="2" {...rest}>
      <chakra.span fontSize="sm" color="fg.muted">
        {t('purchasing.columns.total')}
      </chakra.span>
      <MoneyText fontWeight="semibold" fontSize="lg" minor={draftTotal(form.watch('items'))} currency={currency} />
    </Flex>
  );
}
