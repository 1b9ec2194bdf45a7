import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { DecisionDialog } from '#src/decisions/decision-dialog.tsx';
import { useFormFrame } from '#src/forms/form-frames.tsx';
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
