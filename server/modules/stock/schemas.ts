/**
 * Schemas of the catalogue's bodies and queries. They check types and what can be stored; `domain/stock/drafts.ts`
 * validates forms with messages for people.
 */
import { z } from 'zod';
import { amountSchema, hasPlaces, idParamSchema, idSchema, instantSchema, textSchema } from '#domain/wire/schemas.ts';
import { maxMilli } from '#domain/limits.ts';
import { stockStates } from '#domain/stock/ledger.ts';
import { starterServices } from '#domain/stock/starter.ts';
import { itemTaxCodes } from '#domain/tax/codes.ts';
import { maxTableBytes } from '#domain/uploads.ts';
import { orAll, pageRow } from '#server/http/paging.ts';
import { sorts } from './catalogue-store.ts';
import { serviceSorts } from './services-store.ts';

/** Trims texts. The domain limits their length. */
const text = textSchema(100_000).transform((value) => value.trim());
const shortText = (max: number) => textSchema(max).transform((value) => value.trim());
const orNull = (value: string | null) => value || null;

const quantity = z
  .number()
  .max(maxMilli / 1000)
  .refine(hasPlaces(3), { message: 'threeDecimals' });

const maxInlineImage = 200_000;

/** A picture: an upload, an https address, which becomes an upload, or a small inline image. */
const image = z
  .string()
  .max(maxInlineImage)
  .refine(
    (url) =>
      url === '' ||
      /^\/uploads\/\d+\/[\w-]+\.\w+$/.test(url) ||
      /^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/.test(url) ||
      (url.length <= 2000 && /^https:\/\/[^\s"'<>\\]+$/.test(url)),
    { message: 'picture' },
  )
  .nullable()
  .transform(orNull);

const sellable = {
  name: text,
  category_id: idSchema.nullable(),
  image_url: image,
  barcode: shortText(64).nullable().transform(orNull),
  is_available: z.boolean(),
  needs_preparation: z.boolean(),
  is_favourite: z.boolean(),
  tax: z.enum(itemTaxCodes),
};

const day = z.iso.date();

/** All fields are optional: a change names some, and a new item has defaults. */
export const itemBodySchema = z
  .strictObject({
    ...sellable,
    unit: shortText(40),
    supplier: text,
    supplier_contact: text,
    quantity,
    reserved_quantity: quantity,
    low_stock_threshold: quantity,
    cost_per_unit: amountSchema,
    is_stocked: z.boolean(),
    tracks_lots: z.boolean(),
    last_restocked_at: z.union([instantSchema, day]).nullable(),
    /** The quantity that the form showed: only a different one is a count (SYNC-10). */
    expected_quantity: quantity,
    expected_reserved_quantity: quantity,
  })
  .partial();
export type ItemBody = z.infer<typeof itemBodySchema>;

export const productBodySchema = z
  .strictObject({
    ...sellable,
    description: text,
    price: amountSchema,
    ingredients: z.array(z.strictObject({ ingredient_id: idSchema, quantity_required: quantity })).max(200),
  })
  .partial();
export type ProductBody = z.infer<typeof productBodySchema>;

export const categoryBodySchema = z
  .strictObject({
    name: text,
    description: text,
    color: z
      .string()
      .regex(/^(#[0-9a-f]{3,8}|[a-z]{3,30}|)$/i)
      .nullable()
      .transform(orNull),
    image_url: image,
  })
  .partial();
export type CategoryBody = z.infer<typeof categoryBodySchema>;

const positiveQuantity = quantity.refine((value) => value > 0, { message: 'positive' });
const notes = textSchema(2000).optional();

/** `update` is the specification's word for `set`. */
const adjustment = z
  .enum(['add', 'subtract', 'set', 'update'])
  .transform((word) => (word === 'update' ? ('set' as const) : word));

export const adjustBodySchema = z.strictObject({
  /** May repeat what the address says. */
  type: adjustment.optional(),
  amount: quantity.refine((value) => value >= 0, { message: 'notNegative' }),
  notes,
});

const updateSchema = z
  .strictObject({
    id: idSchema.optional(),
    stock_id: idSchema.optional(),
    quantity: quantity.optional(),
    amount: quantity.optional(),
    /** The two names of the same; without either the item is set. */
    type: adjustment.optional(),
    action: adjustment.optional(),
    notes,
  })
  .refine(({ id, stock_id }) => id === undefined || stock_id === undefined || id === stock_id, {
    path: ['id'],
    message: 'sameId',
  })
  .refine(({ type, action }) => type === undefined || action === undefined || type === action, {
    path: ['type'],
    message: 'sameAction',
  })
  .refine(({ quantity: level, amount }) => level === undefined || amount === undefined || level === amount, {
    path: ['amount'],
    message: 'sameQuantity',
  })
  .refine(({ id, stock_id }) => (stock_id ?? id) !== undefined, { path: ['stock_id'], message: 'required' })
  .refine(({ quantity: level, amount }) => (level ?? amount) !== undefined, { path: ['quantity'], message: 'required' })
  .transform(({ id, stock_id, amount, action, type = action ?? 'set', quantity: level, notes: reason }) => ({
    stock_id: (stock_id ?? id)!,
    amount: (level ?? amount)!,
    action: type,
    notes: reason,
  }));
export const bulkBodySchema = z.strictObject({ updates: z.array(updateSchema).min(1).max(500) });
export type BulkUpdate = z.infer<typeof updateSchema>;

const namedSupplies = z
  .array(z.strictObject({ stock_id: idSchema, quantity: positiveQuantity }))
  .min(1)
  .max(200);
export type NamedSupply = z.infer<typeof namedSupplies>[number];
export const holdBodySchema = z.strictObject({ stock: namedSupplies });
export const deductBodySchema = z.strictObject({
  orderId: z.uuid().transform((id) => id.toLowerCase()),
  stock: namedSupplies,
});

export const importBodySchema = z.strictObject({ csv: textSchema(maxTableBytes), confirm: z.boolean().default(false) });

export const starterBodySchema = z.strictObject({
  services: z
    .array(z.strictObject({ key: z.enum(starterServices.map(({ key }) => key)), price: amountSchema.positive() }))
    .min(1)
    .max(starterServices.length),
});

const paging = {
  page: z.coerce.number().int().min(1).max(1_000_000).optional(),
  per_page: z.coerce.number().int().min(1).max(1000).optional(),
  row: pageRow,
  search: textSchema(200).optional(),
  order: z.enum(['asc', 'desc']).default('asc'),
};
const sortSchema = <Key extends string>(keys: Record<Key, string>) =>
  z.enum(Object.keys(keys) as [Key, ...Key[]]).default('name' as Key);

export const stockListQuery = z.strictObject({
  ...paging,
  sort: sortSchema(sorts.stock),
  status: orAll(stockStates),
  is_stocked: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional(),
  category_id: idParamSchema.optional(),
});
export const productListQuery = z.strictObject({
  ...paging,
  sort: sortSchema(sorts.products),
  category_id: idParamSchema.optional(),
});
export const serviceListQuery = z.strictObject({
  ...paging,
  sort: sortSchema(serviceSorts),
  offered: z.enum(['all', 'yes', 'no', 'favourites']).default('all'),
  category_id: idParamSchema.optional(),
});
export const categoryListQuery = z.strictObject({ ...paging, sort: sortSchema(sorts.categories) });
