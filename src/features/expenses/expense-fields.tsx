import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { isUploadedReceipt } from '#domain/expense/rules.ts';
import { textLimits } from '#domain/limits.ts';
import { expenseCategories } from '#domain/expense/vocabulary.ts';
import type { DraftForm } from '#src/forms/draft-form.ts';
import { useStoredFile } from '#src/api/use-stored-file.ts';
import type { Upload } from '#src/api/use-upload.ts';
import { FormMoneyField } from '#src/forms/money-field.tsx';
import { FileField } from '#src/forms/file-field.tsx';
import { SelectField } from '#src/ui/select-field.tsx';
import { TextArea } from '#src/ui/text-area.tsx';
import { FormDateField } from '#src/forms/date-field.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { useCurrency } from '#src/local-data/use-clinic-settings.ts';
import type { openLocalDrawers } from '#src/db/queries/drawers.ts';
import { CheckField } from '#src/ui/check-field.tsx';
import type { ExpenseFormDraft } from './expense-draft.ts';

export type OpenDrawer = Awaited<ReturnType<typeof openLocalDrawers>>[number];

interface ExpenseFieldsProps {
  /** The drawers that are open on this device's data. */
  drawers: readonly OpenDrawer[];
  form: DraftForm<ExpenseFormDraft>;
  isNew: boolean;
  upload: Upload;
}

export function ExpenseFields({ form, isNew, upload, drawers }: ExpenseFieldsProps) {
  const { t } = useTranslation();
  const { register, errorOf, watch } = form;
  const isAmountFixed = !isNew && watch('paid_from_drawer');
  return (
    <>
      <TextField
        label={t('expenses.columns.title')}
        maxLength={textLimits.name}
        autoComplete="off"
        error={errorOf('title')}
        {...register('title')}
      />
      <TextArea
        label={t('expenses.columns.description')}
        rows={2}
        maxLength={textLimits.notes}
        error={errorOf('description')}
        {...register('description')}
      />
      <chakra.div
        display="grid"
        gridTemplateColumns={{ base: 'minmax(0, 1fr)', md: 'repeat(3, minmax(0, 1fr))' }}
        gap="5"
        alignItems="start"
      >
        <FormMoneyField
          form={form}
          name="amount"
          label={t('expenses.columns.amount')}
          hint={isAmountFixed ? t('expenses.drawer.taken') : undefined}
          readOnly={isAmountFixed}
          error={errorOf('amount')}
        />
        <SelectField
          label={t('expenses.columns.category')}
          options={expenseCategories.map((each) => ({ value: each, label: t(`expenses.categories.${each}`) }))}
          error={errorOf('category')}
          {...register('category')}
        />
        <FormDateField
          form={form}
          name="expense_date"
          label={t('expenses.columns.date')}
          error={errorOf('expense_date')}
        />
      </chakra.div>
      {isNew && <DrawerField form={form} open={drawers} />}
      <ReceiptField form={form} upload={upload} />
      <TextArea
        label={t('expenses.form.notes')}
        maxLength={textLimits.notes}
        error={errorOf('notes')}
        {...register('notes')}
      />
    </>
  );
}

function ReceiptField({ form, upload }: { form: DraftForm<ExpenseFormDraft>; upload: Upload }) {
  const { t } = useTranslation();
  const { errorOf, setValue, watch, formState } = form;
  const [file, url] = watch(['receipt', 'receipt_url']);
  const { content, address } = useStoredFile(url && isUploadedReceipt(url) ? url : null);
  const kept = url
    ? { name: t('expenses.form.keptReceipt'), picture: content?.type.startsWith('image/') ? address : undefined }
    : null;
  function setReceipt(next: File | null) {
    upload.forget();
    setValue('receipt', next, { shouldDirty: true });
    setValue('receipt_url', null, { shouldDirty: true });
  }
  return (
    <FileField
      label={t('expenses.form.receipt')}
      hint={t('expenses.form.receiptHint')}
      purpose="receipt"
      file={file}
      kept={kept}
      onChoose={setReceipt}
      onRemove={() => setReceipt(null)}
      error={upload.error ?? errorOf('receipt_url')}
      disabled={formState.isSubmitting}
    />
  );
}

/** Checkbox for a payment in cash from the drawer, with a choice of drawer when several are open. */
function DrawerField({
  form: { register, setValue, watch },
  open,
}: {
  form: DraftForm<ExpenseFormDraft>;
  open: readonly OpenDrawer[];
}) {
  const { t } = useTranslation();
  const currency = useCurrency();
  const { dateTime } = useClinicFormats();
  const [isPaid, chosen] = watch(['paid_from_drawer', 'drawer_id']);
  const isNoneOpen = open.length === 0;
  return (
    <div>
      <CheckField
        label={t('expenses.drawer.label')}
        hint={isNoneOpen ? t('expenses.drawer.noneOpen') : t('expenses.drawer.hint', { currency })}
        // Stays enabled while checked, so that the user can always uncheck it.
        disabled={isNoneOpen && !isPaid}
        {...register('paid_from_drawer')}
      />
      {isPaid && open.length > 1 && (
        <SelectField
          label={t('expenses.drawer.which')}
          value={open.find(({ id }) => id === chosen)?.id ?? open[0]!.id}
          onChange={({ target }) => setValue('drawer_id', target.value, { shouldDirty: true })}
          options={open.map(({ id, deviceCode, openedAtMs }) => ({
            value: id,
            label: t('expenses.drawer.option', { code: deviceCode, time: dateTime(openedAtMs) }),
          }))}
        />
      )}
    </div>
  );
}
