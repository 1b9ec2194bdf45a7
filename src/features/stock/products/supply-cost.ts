import { extend, milliFromWire } from '../../../../domain/quantity.ts';
import type { ProductDraft } from '../../../../domain/stock/drafts.ts';
import type { CatalogueItem } from '../../../db/database.ts';

type Ingredient = ProductDraft['ingredients'][number];

/** What an ingredient costs by the present cost of its supply, in minor units. */
export const ingredientCost = ({ quantity_required }: Ingredient, supply: CatalogueItem | undefined): number =>
  extend(milliFromWire(quantity_required), supply?.price_minor ?? 0);

/** What one service uses up, in minor units. */
export const supplyCost = (ingredients: readonly Ingredient[], supplies: ReadonlyMap<number, CatalogueItem>): number =>
  ingredients.reduce((sum, ingredient) => sum + ingredientCost(ingredient, supplies.get(ingredient.ingredient_id)), 0);
