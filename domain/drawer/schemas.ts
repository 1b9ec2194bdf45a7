/** The schemas of cash drawers: the payloads of their operations, and the bodies of the REST calls. */
import { z } from 'zod';
import {
  nonNegativeAmountSchema,
  notesSchema,
  positiveAmountSchema,
  reasonSchema,
  textSchema,
  uuidSchema,
} from '../wire/schemas.ts';

/** The counted amounts by payment method. */
const countedSchema = z.strictObject({
  cash: nonNegativeAmountSchema,
  card: nonNegativeAmountSchema,
  insurance: nonNegativeAmountSchema,
  others: nonNegativeAmountSchema,
});

export const drawerPayloadSchemas = {
  'drawer.open': z.strictObject({
    drawer_id: uuidSchema,
    currency: textSchema(8).min(1),
    float: nonNegativeAmountSchema,
  }),
  /** Money that no payment accounts for is put into a drawer or taken out of it. */
  'drawer.move': z.strictObject({
    drawer_id: uuidSchema,
    direction: z.enum(['in', 'out']),
    amount: positiveAmountSchema,
    reason: reasonSchema,
  }),
  'drawer.close': z.strictObject({ drawer_id: uuidSchema, counted: countedSchema, notes: notesSchema }),
};

/** A REST body may leave the drawer's id and currency to the server. */
export const openDrawerBodySchema = drawerPayloadSchemas['drawer.open'].partial({ drawer_id: true, currency: true });
export const moveMoneyBodySchema = drawerPayloadSchemas['drawer.move'].partial({ drawer_id: true });
export const closeDrawerBodySchema = drawerPayloadSchemas['drawer.close'].partial({ drawer_id: true });
