import { useLiveQuery } from 'dexie-react-hooks';
import { useTranslation } from 'react-i18next';
import { db } from '../../device/database.ts';
import type { DraftForm } from '../../forms/draft-form.ts';
import { useClinicFormats } from '../../formats/use-clinic-formats.ts';
import { useCurrency } from '../../device/use-clinic-settings.ts';
import { openLocalDrawers } from '../../db/queries/drawers.ts';
import { CheckField } from '../../ui/check-field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import type { ExpenseFields } from './expense-draft.ts';

/** Whether it was paid in cash out of the drawer, and out of which where several stand open. */
export function FromDrawer({ form: { register, setValue, watch } }: { form: DraftForm<ExpenseFields> }) {
  const { t } = useTranslation();
  const currency = useCurrency();
  const { dateTime } = useClinicFormats();
  const open = useLiveQuery(() => openLocalDrawers(db), []);
  const [isPaid, chosen] = watch(['paid_from_drawer', 'drawer_id']);
  const isNoneOpen = open?.length === 0;
  return (
    <div>
      <CheckField
        label={t('expenses.drawer.label')}
        hint={isNoneOpen ? t('expenses.drawer.noneOpen') : t('expenses.drawer.hint', { currency })}
        // Whoever has chosen it can always take it back.
        disabled={isNoneOpen && !isPaid}
        {...register('paid_from_drawer')}
      />
      {isPaid && open && open.length > 1 && (
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
