import type { ComponentProps } from 'react';
import type { CategoryResource } from '../../../../domain/stock/resources.ts';
import { useServerData } from '../../../server-data/use-server-data.ts';
import { SelectField } from '../../../ui/select-field.tsx';

type CategorySelectProps = Omit<ComponentProps<typeof SelectField>, 'options'> & {
  /** What choosing none of them is called. */
  none: string;
};

/** One of the categories, by its id, or none: ''. */
export function CategorySelect({ none, ...field }: CategorySelectProps) {
  const categories = useServerData<{ data: CategoryResource[] }>('categories').value?.data ?? [];
  return (
    <SelectField
      options={[{ value: '', label: none }, ...categories.map(({ id, name }) => ({ value: String(id), label: name }))]}
      {...field}
    />
  );
}
