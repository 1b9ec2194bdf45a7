/** Expenses on the wire. Amounts are decimals with two places, days YYYY-MM-DD, instants ISO 8601. */
import type { Pagination } from '../pagination.ts';
import type { ExpenseCategory, ExpenseStatus } from './vocabulary.ts';

/** The fields of the expense form: the body of `PUT /expenses/:id`. */
export interface ExpenseDraft {
  title: string;
  description: string;
  amount: number;
  category: string;
  expense_date: string;
  /** The address of the receipt, on this server or elsewhere; null without a receipt. */
  receipt_url: string | null;
  notes: string;
}

/** The body of `POST /expenses`. */
export interface NewExpense extends ExpenseDraft {
  /** True when the expense is paid in cash out of an open drawer. */
  paid_from_drawer: boolean;
  /** The drawer to pay from; null for the drawer of the requesting device, otherwise the one opened first. */
  drawer_id: string | null;
}

export interface ExpenseResource extends ExpenseDraft {
  id: number;
  paid_from_drawer: boolean;
  category: ExpenseCategory;
  status: ExpenseStatus;
  /** The user who submitted the expense; null when the user is unknown. */
  Submitter: { name: string } | null;
  /** The user who approved or rejected the expense; null while it is pending. */
  Approver: { name: string } | null;
  decided_at: string | null;
  /** The remark of the approval, or empty. */
  approval_notes: string;
  /** Null unless the expense was rejected. */
  rejection_reason: string | null;
  created_at: string;
  updated_at: string;
}

/** `GET /expenses`: one page, newest day first. */
export interface ExpenseList {
  expenses: ExpenseResource[];
  pagination: Pagination;
}

/** `GET /expenses/summary`: the current month. The totals include expenses of every status. */
export interface ExpenseSummary {
  totalAmount: number;
  approvedAmount: number;
  pendingAmount: number;
  totalCount: number;
}
