/** What Ctrl+K finds: pages and actions by their words, records in the database of this device, and the clinic's staff by the server. */
import { dateTag } from '#domain/language.ts';
import { currencyLabel, formatMinor } from '#domain/money.ts';
import { may } from '#domain/permissions.ts';
import { searchKey } from '#domain/search-key.ts';
import type { Role, UserClaims } from '#domain/staff/roles.ts';
import { api } from '#src/api/client.ts';
import type { OrderRow } from '#src/db/database.ts';
import { searchCatalogue } from '#src/db/queries/catalogue.ts';
import { findOrders, isSold } from '#src/db/queries/orders.ts';
import { findPatients } from '#src/db/queries/patients.ts';
import { currentLanguage } from '#src/i18n/i18n.ts';
import { db } from '#src/local-data/database.ts';
import { useSession } from '#src/session/session.ts';

export const findKinds = ['page', 'action', 'patient', 'treatment', 'service', 'person'] as const;

export interface Find {
  kind: (typeof findKinds)[number];
  /** Unique among the finds of a kind. */
  id: string;
  title: string;
  detail?: string | undefined;
  /** The address that shows it, under the role's own. */
  path?: string;
  /** What is done before the address opens, or instead. */
  run?: () => void;
}

const mostOfAKind = 5;

/** Returns the finds whose words begin with the words of the text; all of them for no text. */
export function matching(finds: readonly Find[], text: string): Find[] {
  const words = searchKey(text).split(' ').filter(Boolean);
  return finds.filter(({ title }) => words.every((word) => ` ${searchKey(title)}`.includes(` ${word}`)));
}

/** Returns what this device knows by the text, also without a network. */
export async function findHere(text: string, role: Role): Promise<Find[]> {
  const [patients, found, items] = await Promise.all([
    may(role, 'patient.read')
      ? findPatients(db, { text, limit: mostOfAKind, inDetails: may(role, 'patient.details') })
      : [],
    findOrders(db, { text, limit: mostOfAKind * 4 }),
    searchCatalogue(db, { text, categoryId: null, limit: mostOfAKind }),
  ]);
  const orders = withoutMiddles(found, text, patients.length + items.length > 0);
  return [
    ...patients.map(({ id, name, phone }): Find => ({
      kind: 'patient',
      id,
      title: name,
      detail: phone,
      path: `patients?patient=${id}`,
    })),
    ...orders.slice(0, mostOfAKind).map(treatment),
    ...items.map(({ key, type, id, name }): Find => ({
      kind: 'service',
      id: key,
      title: name,
      path: `services?${type === 'product' ? 'service' : 'sold'}=${id}`,
    })),
  ];
}

/** Leaves out treatments in whose customer's name the text is only the middle of a word, if anything else was found. */
function withoutMiddles(orders: readonly OrderRow[], text: string, isElseFound: boolean): readonly OrderRow[] {
  const wanted = searchKey(text);
  const isMiddle = ({ customerName }: OrderRow) => {
    const name = ` ${searchKey(customerName)}`;
    return name.includes(wanted) && !name.includes(` ${wanted}`);
  };
  const better = orders.filter((order) => !isMiddle(order));
  return better.length > 0 || isElseFound ? better : orders;
}

/** A treatment opens where its money is: among the recent sales, or where it is paid. */
function treatment(order: OrderRow): Find {
  const { id, number, invoices, customerName, createdAtMs, totalMinor, currency } = order;
  const shown = invoices.at(-1)?.invoice_number ?? number;
  const day = new Intl.DateTimeFormat(dateTag(currentLanguage()), { day: 'numeric', month: 'short' });
  const facts = [formatMinor(totalMinor, currencyLabel(currency)), day.format(createdAtMs), customerName];
  const find = { kind: 'treatment', id, title: shown, detail: facts.filter(Boolean).join(' · ') } as const;
  if (isSold(order)) return { ...find, path: `counter?sales=${encodeURIComponent(shown)}` };
  return { ...find, path: 'counter', run: () => void openPayment(id) };
}

async function openPayment(orderId: string): Promise<void> {
  const { usePlan } = await import('#src/features/counter/plan-store.ts');
  usePlan.getState().openPayment(orderId);
}

/** Returns the staff whose name or email contains the text; nobody without a network. */
export async function findStaff(text: string): Promise<Find[]> {
  if (useSession.getState().mode === 'offline') return [];
  try {
    const query = { search: text, size: mostOfAKind };
    const { data } = await api.get('users', { searchParams: query }).json<{ data: UserClaims[] }>();
    return data.map(({ id, name, email }) => ({
      kind: 'person',
      id: String(id),
      title: name,
      detail: email,
      path: 'staff',
    }));
  } catch {
    return [];
  }
}
