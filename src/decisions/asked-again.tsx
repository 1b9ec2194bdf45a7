import type { ReactNode } from 'react';
import { DecisionDialog } from './decision-dialog.tsx';
import type { Decision } from './use-decision.ts';

interface AskedAgainProps {
  decision: Decision<object, object>;
  title: string;
  confirmLabel: string;
  isPossible?: boolean;
  children?: ReactNode;
}

/** Asks again about a decision by a button without a dialog, whose record has changed before it was tapped. */
export function AskedAgain({ decision, children, ...texts }: AskedAgainProps) {
  return (
    <DecisionDialog
      {...texts}
      decision={decision}
      open={decision.changes !== null}
      onClose={decision.forget}
      onConfirm={() => void decision.run({})}
    >
      {children}
    </DecisionDialog>
  );
}
