/**
 * What only some readers get of what others read too. Replies of the API show everything by `shownTo`, treatments before they
 * become resources, and the change feed does the same and leaves out the tables of `tableActions`. So both withhold the same.
 */
import { withoutNamesInDocuments } from './order/without-names.ts';
import type { Order } from './order/order.ts';
import { may } from './permissions.ts';
import type { Action } from './permissions.ts';
import type { FullPatientResource } from './patient/resources.ts';
import type { KitchenOrderResource } from './preparation/resources.ts';
import type { ReceiptResource } from './protocol/sync.ts';
import type { RoomOrderResource } from './room/resources.ts';
import type { Role } from './staff/roles.ts';
import type { ClinicSettings } from './settings/settings.ts';
import type { StockResource } from './stock/resources.ts';

interface Resources {
  order: Order;
  patient: FullPatientResource;
  roomOrder: RoomOrderResource;
  boardOrder: KitchenOrderResource;
  receipt: ReceiptResource;
  stock: StockResource;
  settings: ClinicSettings;
}

/** Who may read a column, and what everybody else gets in its place. */
interface Restriction<Row, Value> {
  action: Action;
  otherwise: (row: Row) => Value;
}

/** Of several restrictions of a column the last one holds that applies. */
type Restrictions<Row> = {
  readonly [Column in keyof Row]?: Restriction<Row, Row[Column]> | readonly Restriction<Row, Row[Column]>[];
};

const patients = <Row, Value>(otherwise: (row: Row) => Value): Restriction<Row, Value> => ({
  action: 'patient.read',
  otherwise,
});
const payments = <Row, Value>(otherwise: (row: Row) => Value): Restriction<Row, Value> => ({
  action: 'patient.details',
  otherwise,
});
const buyers = <Row, Value>(otherwise: (row: Row) => Value): Restriction<Row, Value> => ({
  action: 'stock.read',
  otherwise,
});

/** Notes stay, because they say what to prepare. Reasons of discounts, refunds and cancels are about the person. */
const restrictions: { readonly [Noun in keyof Resources]: Restrictions<Resources[Noun]> } = {
  order: {
    customerName: patients(() => ''),
    patientId: patients(() => null),
    discountReason: patients(() => ''),
    // Documents have the tax number and the address of their recipient, also as printed.
    payments: [
      payments((order) => withoutNamesInDocuments(order).payments),
      patients((order) =>
        withoutNamesInDocuments(order).payments.map((payment) => ({ ...payment, reference: '', reason: '' })),
      ),
    ],
    cancels: [
      payments((order) => withoutNamesInDocuments(order).cancels),
      patients((order) => withoutNamesInDocuments(order).cancels.map((cancel) => ({ ...cancel, reason: '' }))),
    ],
    invoices: payments((order) => withoutNamesInDocuments(order).invoices),
  },
  patient: { email: payments(() => ''), notes: payments(() => ''), recipient: payments(() => null) },
  roomOrder: { customer_name: patients(() => '') },
  boardOrder: { customer_name: patients(() => '') },
  // A rewritten operation carries the document that it issued.
  receipt: { operation: payments(() => null) },
  stock: {
    supplier: buyers(() => ''),
    supplier_contact: buyers(() => ''),
    // Of what the counter offers it is the price, and of other supplies what they cost.
    cost_per_unit: buyers((row) => (row.is_available || !row.is_stocked ? row.cost_per_unit : 0)),
  },
  settings: { month_target: { action: 'report.read', otherwise: () => 0 } },
};

/** The tables of the change feed that not everybody reads. */
export const tableActions = {
  attention: 'attention.read',
  drawers: 'drawer.use',
  patients: 'patient.read',
  patient_details: 'patient.details',
} as const satisfies Record<string, Action>;

/** Returns the columns of a noun that a role may not read, each with what takes its place. */
function hiddenFrom<Noun extends keyof Resources>(
  role: Role,
  noun: Noun,
): [column: string, otherwise: (row: Resources[Noun]) => unknown][] {
  type Held = Restriction<Resources[Noun], unknown>;
  const columns = restrictions[noun] as Record<string, Held | readonly Held[]>;
  return Object.entries(columns).flatMap(([column, held]) =>
    [held]
      .flat()
      .flatMap(({ action, otherwise }: Held): [string, Held['otherwise']][] =>
        may(role, action) ? [] : [[column, otherwise]],
      ),
  );
}

/** Returns true when a role reads every column of a noun. */
export const readsAll = (role: Role, noun: keyof Resources): boolean => hiddenFrom(role, noun).length === 0;

/** Returns a resource as a role may read it. */
export function shownTo<Noun extends keyof Resources>(role: Role, noun: Noun, row: Resources[Noun]): Resources[Noun] {
  const hidden = hiddenFrom(role, noun).map(([column, otherwise]) => [column, otherwise(row)]);
  return hidden.length === 0 ? row : { ...row, ...Object.fromEntries(hidden) };
}
