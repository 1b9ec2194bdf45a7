/** Expenses as they cross the wire. Amounts are decimals with two places, days YYYY-MM-DD, instants ISO 8601. */
import type { ExpenseCategory, ExpenseStatus } from './vocabulary.ts';

/** What a form says about an expense: the body of `POST /expenses` and `PUT /expenses/:id`. */
export interface ExpenseDraft {
  title: string;
  description: string;
  amount: number;
  category: string;
  expense_date: string;
  /** Where its receipt is kept, here or elsewhere; null without one. */
  receipt_url: string | null;
  notes: string;
}

/** The body of `POST /expenses`. */
export interface NewExpense extends ExpenseDraft {
  /** It was paid in cash: the money leaves the drawer that stands open. */
  paid_from_drawer: boolean;
  /** Which drawer, where several stand open; null: that of the device that asks, else the one opened first. */
  drawer_id: string | null;
}

export interface ExpenseResource extends ExpenseDraft {
  id: number;
  paid_from_drawer: boolean;
  category: ExpenseCategory;
  status: ExpenseStatus;
  /** Who wrote it down; null when the clinic knows no such person. */
  Submitter: { name: string } | null;
  /** Who decided it, either way; null while it is pending. */
  Approver: { name: string } | null;
  decided_at: string | null;
  /** Empty unless it was approved with a remark. */
  approval_notes: string;
  /** Null unless it was rejected. */
  rejection_reason: string | null;
  created_at: string;
  updated_at: string;
}

/** `GET /expenses`: one page, the latest day first. */
export interface ExpenseList {
  expenses: ExpenseResource[];
  pagination: { total: number; page: number; per_page: number; totalPages: number };
}

/** `GET /expenses/summary`: the clinic's present month. The totals are of all that was submitted, whatever was decided. */
export interface ExpenseSummary {
  totalAmount: number;
  approvedAmount: number;
  pendingAmount: number;
  totalCount: number;
}
