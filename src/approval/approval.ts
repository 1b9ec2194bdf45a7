/**
 * Asks a second person to approve what the signed-in one may not do alone. They type their PIN over this screen; nothing of
 * their session begins.
 */
import { create } from 'zustand';
import type { Action } from '#domain/permissions.ts';
import type { Approver } from '../db/proof.ts';

export interface ApprovalRequest {
  /** What the approver must be allowed to do. */
  action: Action;
  /** What they approve, in a few words with the amount. */
  title: string;
  /** The reason, or more about it. */
  text: string;
}

interface Pending extends ApprovalRequest {
  settle: (approver: Approver | null) => void;
}

export const useApproval = create<{ pending: Pending | null }>(() => ({ pending: null }));

/**
 * Opens the dialog, and returns who approved, for the `approver` of one command's context; null when nobody did.
 */
export function requestApproval(request: ApprovalRequest): Promise<Approver | null> {
  dismissApproval();
  return new Promise((resolve) => {
    const settle = (approver: Approver | null) => {
      useApproval.setState({ pending: null });
      resolve(approver);
    };
    useApproval.setState({ pending: { ...request, settle } });
  });
}

export const dismissApproval = (): void => useApproval.getState().pending?.settle(null);
