import type { ComponentProps } from 'react';
import { useCategoryChoices } from '../../../server-data/catalogue.ts';
import { SelectField } from '../../../ui/select-field.tsx';

type CategorySelectProps = Omit<ComponentProps<typeof SelectField>, 'options'> & {
  /** Label of the empty choice. */
  noneLabel: string;
};

/** Selects a category by its id; the value is '' for none. */
export function CategorySelect({ noneLabel, ...field }: CategorySelectProps) {
  const categories = useCategoryChoices();
  return (
    <SelectField
      options={[
        { value: '', label: noneLabel },
        ...categories.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
      {...field}
    />
  );
}
