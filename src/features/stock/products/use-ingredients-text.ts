import type { ProductDraft } from '#domain/stock/drafts.ts';
import { useFieldTexts } from '#src/forms/use-field-texts.ts';
import { useUnitName } from '#src/formats/use-unit-name.ts';
import { useSupplies } from '../use-supplies.ts';

/** Returns a function that writes the ingredients of a product, each in a line. */
export function useIngredientsText(): (ingredients: ProductDraft['ingredients']) => string {
  const { quantity } = useFieldTexts();
  const unitName = useUnitName();
  const supplies = useSupplies();
  return (ingredients) =>
    ingredients
      .map(({ ingredient_id: id, quantity_required }) => {
        const { name = `#${id}`, unit = '' } = supplies.get(id) ?? {};
        return `${name}: ${quantity(quantity_required)} ${unitName(unit)}`;
      })
      .join('\n');
}
