import type { ComponentProps } from 'react';
import { useCategoryChoices } from '#src/server-data/catalogue.ts';
import { SelectField } from '#src/ui/select-field.tsx';
import type { Option } from '#src/ui/select-field.tsx';

type CategorySelectProps = Omit<ComponentProps<typeof SelectField>, 'options'> & {
  /** Label of the empty choice. */
  noneLabel: string;
};

/** Returns the categories as options of a choice; the first is '' for none. */
export function useCategoryOptions(noneLabel: string): Option[] {
  const categories = useCategoryChoices();
  return [{ value: '', label: noneLabel }, ...categories.map(({ id, name }) => ({ value: String(id), label: name }))];
}

/** Selects a category by its id; the value is '' for none. */
export function CategorySelect({ noneLabel, ...field }: CategorySelectProps) {
  return <SelectField options={useCategoryOptions(noneLabel)} {...field} />;
}
