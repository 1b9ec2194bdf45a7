import { Suspense, useEffect } from 'react';
import { loadLater } from '../ui/load-later.tsx';
import { dismissApproval, useApproval } from './approval.ts';

const ApprovalDialog = loadLater(async () => (await import('./approval-dialog.tsx')).ApprovalDialog);

/** Shows the dialog while an approval is asked for. The lock, and the end of the session, dismiss it. */
export function ApprovalHost() {
  const pending = useApproval((state) => state.pending);
  useEffect(() => dismissApproval, []);
  return <Suspense fallback={null}>{pending && <ApprovalDialog {...pending} />}</Suspense>;
}
