/** The purchases of the demo clinic in that month, and the lots of some supplies. */
import { dayMs } from '#domain/durations.ts';
import { businessDay } from '#domain/business-day.ts';
import { milliFromWire } from '#domain/quantity.ts';
import type { Result } from '#domain/result.ts';
import type { PurchaseOrderResource } from '#domain/stock/resources.ts';
import { uuidV7 } from '#domain/uuid.ts';
import type { Sql } from '../db/sql.ts';
import {
  cancelPurchaseOrder,
  createPurchaseOrder,
  receiveDeliveries,
  sendPurchaseOrder,
} from '../modules/purchasing/service.ts';
import type { Author } from '../context.ts';
import type { SeededRandom } from './random.ts';

interface Lot {
  number: string;
  /** Days from now. */
  expiresIn: number;
}

/** The lots of the opening stock, for supplies that are tracked by lot. */
const openingLots: Readonly<Record<string, Lot>> = {
  'Articaine 4 % cartridges': { number: 'ART-2207', expiresIn: 64 },
  'Composite syringe A2': { number: 'CA2-0418', expiresIn: 210 },
  'Composite syringe A3': { number: 'CA3-0391', expiresIn: 180 },
  'Bonding agent': { number: 'BND-1170', expiresIn: 18 },
  'Etching gel': { number: 'ETG-0502', expiresIn: 150 },
  'Sutures 4-0': { number: 'SUT-8841', expiresIn: 95 },
};

interface DemoPurchase {
  vendor: string;
  /** Days ago. */
  orderedAgo: number;
  isDraft?: true;
  cancelledAgo?: number;
  lines: { item: string; quantity: number; cost: number; received?: number; lot?: Lot }[];
  receivedAgo?: number;
}

const purchases: readonly DemoPurchase[] = [
  {
    vendor: 'Farmadent',
    orderedAgo: 24,
    receivedAgo: 20,
    lines: [
      {
        item: 'Articaine 4 % cartridges',
        quantity: 100,
        cost: 0.78,
        received: 100,
        lot: { number: 'ART-2302', expiresIn: 420 },
      },
      { item: 'Dental needles 30G', quantity: 100, cost: 0.19, received: 100 },
      { item: 'Sutures 4-0', quantity: 12, cost: 2.45, received: 12, lot: { number: 'SUT-9003', expiresIn: 540 } },
    ],
  },
  {
    vendor: 'Composa',
    orderedAgo: 12,
    receivedAgo: 8,
    lines: [
      {
        item: 'Composite syringe A2',
        quantity: 6,
        cost: 29.5,
        received: 4,
        lot: { number: 'CA2-0466', expiresIn: 610 },
      },
      { item: 'Etching gel', quantity: 6, cost: 11.2 },
    ],
  },
  {
    vendor: 'Oralia Retail',
    orderedAgo: 10,
    cancelledAgo: 7,
    lines: [{ item: 'Electric toothbrush head', quantity: 40, cost: 6.1 }],
  },
  {
    vendor: 'Henara Dental',
    orderedAgo: 3,
    lines: [
      { item: 'Saliva ejectors', quantity: 12, cost: 4.9 },
      { item: 'Nitrile gloves M', quantity: 20, cost: 8.4 },
    ],
  },
  {
    vendor: 'Composa',
    orderedAgo: 0,
    isDraft: true,
    lines: [{ item: 'Composite syringe A3', quantity: 4, cost: 29.5 }],
  },
];

interface Deed {
  atMs: number;
  act: (sql: Sql) => Promise<void>;
}

export interface PurchasingInput {
  clinicId: number;
  userId: number;
  deviceId: number;
  stockIds: ReadonlyMap<string, number>;
  random: SeededRandom;
  nowMs: number;
  timeZone: string;
}

/** The purchases of a month, made step by step between the working days, so that deliveries are there to be used. */
export class DemoPurchasing {
  private readonly deeds: Deed[];

  constructor(private readonly input: PurchasingInput) {
    this.deeds = purchases.flatMap((purchase) => this.deedsOf(purchase)).sort((a, b) => a.atMs - b.atMs);
  }

  /** Which lot an item's opening stock is of; undefined for what is not kept by lot. */
  openingLot(item: string): { number: string; expiresOn: string } | undefined {
    const lot = openingLots[item];
    return lot && { number: lot.number, expiresOn: this.day(lot) };
  }

  /** Does everything that happened until then. */
  async until(sql: Sql, atMs: number): Promise<void> {
    while (this.deeds[0] && this.deeds[0].atMs <= atMs) await this.deeds.shift()!.act(sql);
  }

  private deedsOf(purchase: DemoPurchase): Deed[] {
    const { vendor, lines, orderedAgo, receivedAgo, cancelledAgo, isDraft } = purchase;
    const { stockIds, nowMs } = this.input;
    const items = lines.map(({ item, quantity, cost }) => ({
      stock_id: stockIds.get(item)!,
      quantity,
      unit_cost: cost,
    }));
    const vendor_contact = `orders@${vendor.toLowerCase().replaceAll(' ', '-')}.test`;
    let order: PurchaseOrderResource;
    const deed = (
      daysAgo: number,
      work: (sql: Sql, author: Author) => Promise<Result<PurchaseOrderResource>>,
    ): Deed => {
      const atMs = nowMs - daysAgo * dayMs;
      return {
        atMs,
        act: async (sql) => {
          const done = await work(sql, this.author(atMs));
          if (!done.ok) throw new Error(`The demo data contains an invalid purchase: ${done.refusal.code}`);
          order = done.value;
        },
      };
    };
    const deeds = [
      deed(orderedAgo, (sql, author) => createPurchaseOrder(sql, author, { vendor, vendor_contact, notes: '', items })),
    ];
    if (!isDraft) deeds.push(deed(orderedAgo, (sql, author) => sendPurchaseOrder(sql, author, order.id)));
    if (receivedAgo !== undefined)
      deeds.push(
        deed(receivedAgo, (sql, author) =>
          receiveDeliveries(sql, author, order.id, {
            deliveries: this.deliveries(order, purchase),
            // Vendors count their own deliveries, far above our orders.
            note: `DN-${48_000 + order.id}`,
            isAnother: false,
          }),
        ),
      );
    if (cancelledAgo !== undefined)
      deeds.push(deed(cancelledAgo, (sql, author) => cancelPurchaseOrder(sql, author, order.id)));
    return deeds;
  }

  private deliveries(order: PurchaseOrderResource, { lines }: DemoPurchase) {
    return lines.flatMap(({ received, lot }, position) => {
      if (received === undefined) return [];
      const named = lot && { lotNumber: lot.number, expiresOn: this.day(lot) };
      return [{ lineId: order.items[position]!.id, quantityMilli: milliFromWire(received), notes: '', ...named }];
    });
  }

  private author(atMs: number): Author {
    const { clinicId, userId, deviceId, random } = this.input;
    return { clinicId, userId, deviceId, atMs, newId: () => uuidV7(atMs, random.bytes(10)) };
  }

  private day({ expiresIn }: Lot): string {
    return businessDay(this.input.nowMs + expiresIn * dayMs, this.input.timeZone);
  }
}

export const isKeptByLot = (item: string): boolean => item in openingLots;
