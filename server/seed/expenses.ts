/** The expenses of the demo clinic in that month, and their decisions. */
import { dayMs } from '#domain/durations.ts';
import { businessDay } from '#domain/business-day.ts';
import type { ExpenseResource } from '#domain/expense/resources.ts';
import type { ExpenseCategory } from '#domain/expense/vocabulary.ts';
import { accept } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import type { Sql } from '../db/sql.ts';
import { approveExpense, createExpense, rejectExpense } from '../modules/expenses/service.ts';
import type { CashSpent } from './drawers.ts';
import type { Say } from './words.ts';

interface DemoExpense {
  /** Days ago. */
  ago: number;
  title: string;
  description: string;
  amount: number;
  category: ExpenseCategory;
  /** The submitter; the manager by default. */
  by?: 'admin';
  notes?: string;
  /** Paid from the drawer, on a day that has one. */
  inCash?: true;
  /** Approved by default. */
  outcome?: 'pending' | { rejectedFor: string };
}

const spent: readonly DemoExpense[] = [
  {
    ago: 30,
    title: 'Rent of the practice',
    description: 'Ground floor, Calle de la Alameda 18',
    amount: 2450,
    category: 'rent',
    by: 'admin',
  },
  { ago: 29, title: 'Electricity', description: 'Bill of the two months past', amount: 612.48, category: 'utilities' },
  {
    ago: 28,
    title: 'Taxi to the laboratory',
    description: 'Urgent crown for a fitting at noon',
    amount: 18.6,
    category: 'transportation',
    inCash: true,
  },
  {
    ago: 27,
    title: 'Autoclave service',
    description: 'Yearly inspection with new door seal',
    amount: 340,
    category: 'maintenance',
    notes: 'The next one is due in twelve months.',
  },
  {
    ago: 25,
    title: 'Coffee and water',
    description: 'For the waiting room and the staff',
    amount: 64.35,
    category: 'food_ingredients',
    inCash: true,
  },
  {
    ago: 24,
    title: 'Printed leaflets',
    description: '500 leaflets on implants, in colour',
    amount: 189,
    category: 'marketing',
  },
  {
    ago: 23,
    title: 'Second coffee machine',
    description: 'Espresso machine for the break room',
    amount: 899,
    category: 'equipment',
    outcome: { rejectedFor: 'The present machine still works. Let us look at it again in autumn.' },
  },
  {
    ago: 22,
    title: 'Paper and toner',
    description: 'Invoice rolls, A4 paper and a black toner',
    amount: 142.9,
    category: 'supplies',
  },
  { ago: 21, title: 'Water', description: 'Quarterly bill', amount: 96.12, category: 'utilities' },
  {
    ago: 19,
    title: 'Compressor repair',
    description: 'Pressure switch replaced on site',
    amount: 275.5,
    category: 'maintenance',
  },
  {
    ago: 18,
    title: 'Courier to the laboratory',
    description: 'Impressions, ten journeys in the month',
    amount: 120,
    category: 'transportation',
  },
  {
    ago: 16,
    title: 'Curing light',
    description: 'Replacement for the one in the second surgery',
    amount: 459,
    category: 'equipment',
    by: 'admin',
  },
  {
    ago: 15,
    title: 'Telephone and internet',
    description: 'Fibre line and two mobile telephones',
    amount: 118.4,
    category: 'utilities',
  },
  {
    ago: 14,
    title: 'Locum hygienist',
    description: 'Two days while the hygienist was ill',
    amount: 420,
    category: 'salaries',
    by: 'admin',
  },
  {
    ago: 13,
    title: 'Advertisement in the local paper',
    description: 'Quarter page, two weekends',
    amount: 320,
    category: 'marketing',
    outcome: { rejectedFor: 'Nobody told us that they came because of the last one.' },
  },
  { ago: 11, title: 'Gas for the heating', description: 'Monthly bill', amount: 203.77, category: 'utilities' },
  { ago: 10, title: 'Laundry', description: 'Tunics and towels, weekly collection', amount: 156, category: 'other' },
  { ago: 8, title: 'Plumber', description: 'Blocked drain of the spittoon', amount: 135, category: 'maintenance' },
  {
    ago: 7,
    title: 'Cleaning materials',
    description: 'Surface disinfectant and mop heads',
    amount: 87.25,
    category: 'supplies',
    inCash: true,
  },
  {
    ago: 5,
    title: 'Web page',
    description: 'Hosting and the booking form for a year',
    amount: 240,
    category: 'marketing',
  },
  {
    ago: 4,
    title: 'First-aid course',
    description: 'Four places for the front desk and assistants',
    amount: 280,
    category: 'other',
    by: 'admin',
  },
  {
    ago: 3,
    title: 'Parking at the congress',
    description: 'Two days, receipts at the front desk',
    amount: 36,
    category: 'transportation',
    outcome: 'pending',
  },
  {
    ago: 2,
    title: 'Handpiece repair',
    description: 'Turbine bearings, sent to the manufacturer',
    amount: 310.2,
    category: 'maintenance',
    outcome: 'pending',
  },
  {
    ago: 1,
    title: 'Magazines',
    description: 'Subscriptions for the waiting room',
    amount: 74.5,
    category: 'other',
    outcome: 'pending',
  },
  {
    ago: 0,
    title: 'Waste collection',
    description: 'Sharps containers and amalgam, monthly',
    amount: 128,
    category: 'utilities',
    outcome: 'pending',
  },
];

export interface ExpensesInput {
  clinicId: number;
  managerId: number;
  adminId: number;
  deviceId: number;
  /** The id of the open drawer, by business day. */
  drawers: ReadonlyMap<string, string>;
  nowMs: number;
  timeZone: string;
  say: Say;
}

/** Returns the cash taken out of the drawer for expenses. */
export const cashSpent = ({ nowMs, timeZone, say }: Pick<ExpensesInput, 'nowMs' | 'timeZone' | 'say'>): CashSpent[] =>
  spent
    .filter(({ inCash }) => inCash)
    .map(({ ago, title, amount }) => ({ day: businessDay(nowMs - ago * dayMs, timeZone), title: say(title), amount }));

/** Creates each expense on its day. The other of the two decides on the next day. */
export async function seedExpenses(
  sql: Sql,
  { clinicId, managerId, adminId, deviceId, drawers, nowMs, timeZone, say }: ExpensesInput,
): Promise<void> {
  for (const { ago, by, inCash, outcome = 'approved', notes = '', title, description, ...what } of spent) {
    const atMs = nowMs - ago * dayMs;
    const writer = { clinicId, userId: by === 'admin' ? adminId : managerId, deviceId, atMs };
    const decider = { ...writer, userId: by === 'admin' ? managerId : adminId, atMs: atMs + dayMs };
    const expense_date = businessDay(atMs, timeZone);
    const drawer_id = (inCash && drawers.get(expense_date)) ?? null;
    const said = { title: say(title), description: say(description), notes: say(notes) };
    const draft = {
      ...what,
      ...said,
      expense_date,
      receipt_url: null,
      paid_from_drawer: drawer_id !== null,
      drawer_id,
    };
    // The drawer already contains the movement.
    const { id } = done(await createExpense(sql, writer, draft, async () => accept(drawer_id!)));
    if (outcome === 'approved') done(await approveExpense(sql, decider, id, ''));
    else if (outcome !== 'pending') done(await rejectExpense(sql, decider, id, say(outcome.rejectedFor)));
  }
}

function done(result: Result<ExpenseResource>): ExpenseResource {
  if (!result.ok) throw new Error(`The demo data contains an invalid expense: ${result.refusal.code}`);
  return result.value;
}
