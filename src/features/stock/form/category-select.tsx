import type { ComponentProps } from 'react';
import type { CategoryResource } from '../../../../domain/stock/resources.ts';
import { useServerData } from '../../../api/server-data.ts';
import { SelectField } from '../../../ui/select-field.tsx';

type CategoryChoiceProps = Omit<ComponentProps<typeof SelectField>, 'options'> & {
  /** What choosing none of them is called. */
  none: string;
};

/** One of the categories, by its id, or none: ''. */
export function CategoryChoice({ none, ...field }: CategoryChoiceProps) {
  const categories = useServerData<{ data: CategoryResource[] }>('categories').value?.data ?? [];
  return (
    <SelectField
      options={[{ value: '', label: none }, ...categories.map(({ id, name }) => ({ value: String(id), label: name }))]}
      {...field}
    />
  );
}
