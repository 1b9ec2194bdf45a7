/**
 * Schemas of the catalogue's bodies and queries. They check types and what can be stored; `domain/stock/drafts.ts`
 * validates forms with messages for people.
 */
import { z } from 'zod';
import {
  amountSchema,
  hasPlaces,
  idParamSchema,
  idSchema,
  instantSchema,
  textSchema,
} from '../../../domain/protocol/schemas.ts';
import { maxMilli } from '../../../domain/limits.ts';
import { maxTableBytes } from '../../../domain/uploads.ts';
import { sorts } from './catalogue-store.ts';

/** Trims texts. The domain limits their length. */
const text = textSchema(100_000).transform((value) => value.trim());
const shortText = (max: number) => textSchema(max).transform((value) => value.trim());
const orNull = (value: string | null) => value || null;

const quantity = z
  .number()
  .max(maxMilli / 1000)
  .refine(hasPlaces(3), { message: 'At most 3 decimals' });

const maxInlineImage = 200_000;

/** A picture: an upload, an https address, or a small inline image. */
const image = z
  .string()
  .max(maxInlineImage)
  .refine(
    (url) =>
      url === '' ||
      /^\/uploads\/\d+\/[\w-]+\.\w+$/.test(url) ||
      /^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/.test(url) ||
      (url.length <= 2000 && /^https:\/\/[^\s"'<>\\]+$/.test(url)),
    { message: 'Not an uploaded picture, an https address or an inline picture' },
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
};

const day = z.iso.date();

/** All fields are optional: a change names some, and a new item has defaults. */
export const itemBodySchema = z
  .object({
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
  .object({
    ...sellable,
    description: text,
    price: amountSchema,
    ingredients: z.array(z.object({ ingredient_id: idSchema, quantity_required: quantity })).max(200),
  })
  .partial();
export type ProductBody = z.infer<typeof productBodySchema>;

export const categoryBodySchema = z
  .object({
    name: text,
    description: text,
    color: z
      .string()
      .regex(/^(#[0-9a-f]{3,8}|[a-z]{3,30}|)$/i)
      .nullable()
      .transform(orNull),
  })
  .partial();
export type CategoryBody = z.infer<typeof categoryBodySchema>;

const positiveQuantity = quantity.refine((value) => value > 0, { message: 'Must be greater than 0' });
const notes = textSchema(2000).optional();

export const adjustBodySchema = z.object({
  amount: quantity.refine((value) => value >= 0, { message: 'Must be 0 or greater' }),
  notes,
});

const updateSchema = z
  .object({
    id: idSchema.optional(),
    stock_id: idSchema.optional(),
    quantity: quantity.optional(),
    amount: quantity.optional(),
    /** `update` is an alias of `set`. */
    action: z.enum(['add', 'subtract', 'set', 'update']).default('set'),
    notes,
  })
  .transform(({ id, stock_id, amount, action, quantity: level, notes: reason }) => ({
    stock_id: stock_id ?? id,
    amount: level ?? amount,
    action: action === 'update' ? ('set' as const) : action,
    notes: reason,
  }));
export const bulkBodySchema = z.object({ updates: z.array(updateSchema).min(1).max(500) });
export type BulkUpdate = z.infer<typeof updateSchema>;

const namedSupplies = z
  .array(z.object({ stock_id: idSchema, quantity: positiveQuantity }))
  .min(1)
  .max(200);
export type NamedSupply = z.infer<typeof namedSupplies>[number];
export const holdBodySchema = z.object({ stock: namedSupplies });
export const deductBodySchema = z.object({
  orderId: z.uuid().transform((id) => id.toLowerCase()),
  stock: namedSupplies,
});

export const importBodySchema = z.object({ csv: textSchema(maxTableBytes), confirm: z.boolean().default(false) });

const paging = {
  page: z.coerce.number().int().min(1).max(1_000_000).optional(),
  per_page: z.coerce.number().int().min(1).max(1000).optional(),
  search: textSchema(200).optional(),
  order: z.enum(['asc', 'desc']).default('asc'),
};
const sortSchema = <Key extends string>(keys: Record<Key, string>) =>
  z.enum(Object.keys(keys) as [Key, ...Key[]]).default('name' as Key);

export const stockListQuery = z.object({
  ...paging,
  sort: sortSchema(sorts.stock),
  status: z.enum(['all', 'in_stock', 'low_stock', 'out_of_stock']).default('all'),
  is_stocked: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional(),
  category_id: idParamSchema.optional(),
});
export const productListQuery = z.object({
  ...paging,
  sort: sortSchema(sorts.products),
  category_id: idParamSchema.optional(),
});
export const categoryListQuery = z.object({ ...paging, sort: sortSchema(sorts.categories) });
