import { chakra, Flex } from '@chakra-ui/react';
import { useLiveQuery } from '#src/local-data/live.ts';
import { Trash2 } from 'lucide-react';
import { useFieldArray } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { minorFromWire } from '#domain/money.ts';
import { extend, milliFromWire } from '#domain/quantity.ts';
import type { ProductDraft } from '#domain/stock/drafts.ts';
import type { DraftForm } from '#src/forms/draft-form.ts';
import { useCurrency } from '#src/local-data/use-clinic-settings.ts';
import { FormSection, WholeRow } from '#src/forms/form-section.tsx';
import { MoneyText } from '#src/formats/money.tsx';
import { IconButton } from '#src/ui/icon-button.tsx';
import { QuantityField } from '#src/forms/quantity-field.tsx';
import type { CatalogueItem } from '#src/db/database.ts';
import { db } from '#src/local-data/database.ts';
import { itemsByKey } from '#src/db/queries/catalogue.ts';
import { stockKey } from '#src/db/rows.ts';
import { ItemPicker } from '../form/item-picker.tsx';
import type { ServiceDraft } from './service-draft.ts';

/** Supplies that one unit of a product consumes, and their cost. */
export function IngredientFields({ form }: { form: DraftForm<ServiceDraft> }) {
  const { t } = useTranslation();
  const currency = useCurrency();
  const { control, watch, errorOf } = form;
  const { fields, append, remove } = useFieldArray({ control, name: 'ingredients' });
  const [ingredients, price] = watch(['ingredients', 'price']);
  const ids = ingredients.map(({ ingredient_id }) => ingredient_id);
  const supplies = useSupplies(ids);
  const problem = errorOf('ingredients');
  const isAnyNegative = ingredients.some(({ quantity_required }) => quantity_required < 0);
  return (
    <FormSection title={t('services.form.ingredients.title')} text={t('services.form.ingredients.text')}>
      <WholeRow display="flex" flexDirection="column" gap="4">
        <ItemPicker
          label={t('services.form.ingredients.add')}
          hint={t('services.form.ingredients.addHint')}
          exclude={ids}
          onChoose={(item) =>
            item && !ids.includes(item.id) && append({ ingredient_id: item.id, quantity_required: 1 })
          }
        />
        {problem && !isAnyNegative && (
          <chakra.p role="alert" fontSize="sm" color="refused.fg">
            {problem}
          </chakra.p>
        )}
        {supplies && fields.length > 0 && (
          <chakra.ul
            aria-label={t('services.form.ingredients.title')}
            listStyleType="none"
            borderTopWidth="1px"
            borderColor="border"
          >
            {fields.map(({ id, ingredient_id }, index) => {
              const supply = supplies.get(ingredient_id);
              const name = supply?.name ?? t('services.form.ingredients.unknown', { id: ingredient_id });
              const ingredient = ingredients[index] ?? { ingredient_id, quantity_required: 0 };
              return (
                <chakra.li
                  key={id}
                  display="grid"
                  gridTemplateColumns={{ base: 'minmax(0, 1fr) auto', sm: 'minmax(0, 1fr) 10rem 6rem auto' }}
                  alignItems="center"
                  columnGap="4"
                  rowGap="1"
                  py="2"
                  borderBottomWidth="1px"
                  borderColor="border"
                >
                  <chakra.span gridColumn={{ base: '1 / -1', sm: 'auto' }} overflowWrap="anywhere" fontWeight="medium">
                    {name}
                  </chakra.span>
                  <QuantityField
                    form={form}
                    name={`ingredients.${index}.quantity_required`}
                    label={t('services.form.ingredients.quantity', { name })}
                    labelHidden
                    unit={supply?.unit ?? ''}
                    error={problem && ingredient.quantity_required < 0 ? problem : undefined}
                  />
                  <MoneyText
                    hideBelow="sm"
                    fontSize="sm"
                    color="fg.muted"
                    minor={ingredientCost(ingredient, supply)}
                    currency={currency}
                  />
                  <IconButton label={t('services.form.ingredients.remove', { name })} onClick={() => remove(index)}>
                    <Trash2 />
                  </IconButton>
                </chakra.li>
              );
            })}
          </chakra.ul>
        )}
        {supplies && (
          <Flex justify="space-between" gap="4" fontSize="sm" color="fg.muted">
            <span>{t('services.form.ingredients.cost')}</span>
            <span>
              <MoneyText color="fg" fontWeight="medium" minor={supplyCost(ingredients, supplies)} currency={currency} />
              {price > 0 && (
                <>
                  {` ${t('services.form.ingredients.ofPrice')} `}
                  <MoneyText minor={minorFromWire(price)} currency={currency} />
                </>
              )}
            </span>
          </Flex>
        )}
      </WholeRow>
    </FormSection>
  );
}

type Ingredient = ProductDraft['ingredients'][number];

/** Returns the cost of an ingredient at the current cost of its supply, in minor units. */
const ingredientCost = ({ quantity_required }: Ingredient, supply: CatalogueItem | undefined): number =>
  extend(milliFromWire(quantity_required), supply?.price_minor ?? 0);

/** Returns the cost of all ingredients, in minor units. */
const supplyCost = (ingredients: readonly Ingredient[], supplies: ReadonlyMap<number, CatalogueItem>): number =>
  ingredients.reduce((sum, ingredient) => sum + ingredientCost(ingredient, supplies.get(ingredient.ingredient_id)), 0);

/** Reads stock items by id from the device's database; undefined until the first read is done. */
function useSupplies(ids: readonly number[]): ReadonlyMap<number, CatalogueItem> | undefined {
  const items = useLiveQuery(() => itemsByKey(db, ids.map(stockKey)), [ids.join()]);
  return items && new Map(items.map((item) => [item.id, item]));
}
