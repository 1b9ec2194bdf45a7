/**
 * What may be wrong with the fields of a form. Rules of `domain` name problems by field; a screen shows the translation of
 * the code (`problems.*` in the locales), and the server, which runs the same rules, answers with the English sentence.
 */
export const problemCatalogue = {
  REQUIRED: 'This field is required',
  TOO_LONG: 'This text is too long',
  NUMBER_INVALID: 'Enter a number',
  NAME_REQUIRED: 'Name is required',
  UNIT_REQUIRED: 'Unit is required',
  QUANTITY_NEGATIVE: 'Quantity must be 0 or greater',
  RESERVED_NEGATIVE: 'Reserved quantity must be 0 or greater',
  THRESHOLD_NEGATIVE: 'Low stock threshold must be 0 or greater',
  COST_NEGATIVE: 'Cost per unit must be 0 or greater',
  SUPPLIER_REQUIRED: 'Supplier is required',
  SUPPLIER_CONTACT_REQUIRED: 'Supplier contact is required',
  PRICE_TOO_SMALL: 'Price must be greater than 0',
  PRODUCT_NAME_SHORT: 'Product name must be at least 2 characters',
  INGREDIENT_NEGATIVE: 'Quantity must be 0 or greater',
  CATEGORY_NAME_SHORT: 'Category name must be at least 2 characters',
} as const satisfies Record<string, string>;

export type Problem = keyof typeof problemCatalogue;

/** The first problem of each field that has one; an empty object is a sound form. */
export type Problems<Field extends string> = Partial<Record<Field, Problem>>;

export const isSound = (problems: Problems<string>): boolean => Object.keys(problems).length === 0;
