import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { DecisionDialog } from '#src/decisions/decision-dialog.tsx';
import { useFormFrame } from '#src/forms/form-frames.tsx';
import { useSeen } from '#src/decisions/use-seen.ts';
import { Themed } from '#src/ui/themed.tsx';

const nothing = () => undefined;
const buttonsOf = (html: string) => [...html.matchAll(/<button[^>]*>/g)].map(([button]) => button);
const isDisabled = (button: string) => / disabled=""/.test(button);

function Frame({ isReading }: { isReading: boolean }) {
  const form = {
    formState: { isSubmitting: false },
    handleSubmit: () => async () => undefined,
    forget: async () => undefined,
  } as never;
  const save = async () => true;
  return useFormFrame({ form, title: '', submitLabel: 'Receive', save, onClose: nothing, isReading, children: null })
    .actions;
}

test('a form that has just told a change is not sent until it could be read', () => {
  expect(buttonsOf(renderToString(<Frame isReading />)).map(isDisabled)).toEqual([false, true]);
  expect(buttonsOf(renderToString(<Frame isReading={false} />)).map(isDisabled)).toEqual([false, false]);
});

test('a dialog that has just told a change has no button for a second tap or Enter', () => {
  const drawn = (isReading: boolean) =>
    buttonsOf(
      renderToString(
        <Themed>
          <DecisionDialog
            decision={{ changes: [], isReading, isRunning: false }}
            title="Order"
            confirmLabel="Send"
            onConfirm={nothing}
            onClose={nothing}
          />
        </Themed>,
      ),
    ).map(isDisabled);
  expect(drawn(true)).toEqual([true, true]);
  expect(drawn(false)).toEqual([false, false]);
});

test('a decision whose only answer is given already can only be closed', () => {
  const html = renderToString(
    <Themed>
      <DecisionDialog
        decision={{ changes: [], isReading: false, isRunning: false }}
        isPossible={false}
        title="Expense"
        confirmLabel="Reject"
        onConfirm={nothing}
        onClose={nothing}
      />
    </Themed>,
  );
  expect(buttonsOf(html)).toHaveLength(1);
  expect(html).toContain('form.close');
  expect(html).toContain('decisions.over');
});

const words = { received: { label: 'Received', text: String } };
function Sight({ reopened }: { reopened: { received: number } | null }) {
  const { seen, changes, isRefused } = useSeen({ received: 5 }, words, { reopened });
  return JSON.stringify({ seen, changes, isRefused });
}
const sightOf = (reopened: { received: number } | null) =>
  JSON.parse(renderToString(<Sight reopened={reopened} />).replaceAll('&quot;', '"')) as unknown;

test('a decision opened again tells what has changed since its draft was begun', () => {
  expect(sightOf({ received: 0 })).toEqual({
    seen: { received: 5 },
    changes: [{ label: 'Received', was: '0', now: '5' }],
    isRefused: false,
  });
  expect(sightOf({ received: 5 })).toEqual({ seen: { received: 5 }, changes: null, isRefused: false });
  expect(sightOf(null)).toEqual({ seen: { received: 5 }, changes: null, isRefused: false });
});
