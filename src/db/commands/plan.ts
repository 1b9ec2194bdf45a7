/** A treatment plan becomes lines at the prices of this moment, read in the transaction of the command. */
import { decideLines } from '../../../domain/order/decisions.ts';
import type { AgreedLine, RequestedLine } from '../../../domain/order/decisions.ts';
import { subtotal } from '../../../domain/order/order.ts';
import { maxMinor } from '../../../domain/money.ts';
import { milliFromWire } from '../../../domain/quantity.ts';
import { refuse } from '../../../domain/result.ts';
import type { Result } from '../../../domain/result.ts';
import type { CatalogueItem } from '../database.ts';
import type { Write } from '../write.ts';
import { storableText, textLimits } from './storable-text.ts';

export interface PlannedService {
  /** A catalogue item's key. */
  itemKey: string;
  /** Whole pieces. */
  quantity: number;
  notes?: string;
}

/** The most lines that one operation takes. */
const maxLines = 200;

export type DecideLines = (requested: readonly RequestedLine[]) => Result<AgreedLine[]>;

export async function decidePlan(
  write: Write,
  services: readonly PlannedService[],
  agree: DecideLines = decideLines,
): Promise<Result<AgreedLine[]>> {
  if (services.length > maxLines) return refuse('VALIDATION', { max: maxLines });
  const items = await write.db.catalogue.bulkGet(services.map(({ itemKey }) => itemKey));
  const agreed = agree(
    services.map(({ quantity, notes }, index) => ({
      lineId: write.newId(),
      sellable: sellable(items[index]),
      quantityMilli: milliFromWire(quantity),
      notes: storableText(notes, textLimits.notes),
    })),
  );
  if (agreed.ok && subtotal(agreed.value) > maxMinor) return refuse('AMOUNT_INVALID');
  return agreed;
}

function sellable(item: CatalogueItem | undefined): RequestedLine['sellable'] {
  if (!item) return undefined;
  const { type, id, name, price_minor, available } = item;
  return { type, id, name, priceMinor: price_minor, isAvailable: available === 1 };
}
