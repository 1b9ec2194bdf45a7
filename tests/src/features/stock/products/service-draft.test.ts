import { expect, test } from 'vitest';
import { blankProduct } from '#domain/stock/blank-drafts.ts';
import type { ProductResource, StockResource } from '#domain/stock/resources.ts';
import { draftOf, serviceBody } from '#src/features/stock/products/service-draft.ts';
import type { ServiceDraft } from '#src/features/stock/products/service-draft.ts';
import { changeIn, edited, mergeDraft, settleField } from '#src/forms/edited-record.ts';

type Ingredients = ServiceDraft['ingredients'];

test('the ingredients of a service that both have changed are sent as their person keeps them, on what was stored then', () => {
  const [opened, mine, theirs]: Ingredients[] = [1, 2, 3].map((quantity_required) => [
    { ingredient_id: 7, quantity_required },
  ]);
  const stored = (ingredients: Ingredients | undefined) =>
    ({ ...blankProduct, name: 'Filling', ingredients }) as unknown as ProductResource;
  const edit = edited<ProductResource | StockResource, ServiceDraft>(stored(opened), {
    draftOf,
    bodyOf: serviceBody('product'),
    views: {},
  })!;
  const seen = edit.stored;
  const values = { ...edit.draftOf(seen), ingredients: mine! };
  const now = { ...stored(theirs) };
  const merged = mergeDraft(edit, { opened: seen, values, stored: now });
  expect(merged.asked).toEqual(['ingredients']);
  const settle = (isMine: boolean) =>
    settleField(edit, { opened: merged.opened, values: merged.values, stored: now }, { field: 'ingredients', isMine });
  const kept = settle(true);
  expect(changeIn(edit, kept.opened, kept.values)).toEqual({
    changes: { ingredients: mine },
    seen: { ingredients: theirs },
  });
  const taken = settle(false);
  expect(changeIn(edit, taken.opened, taken.values)).toEqual({ changes: {}, seen: {} });
});
