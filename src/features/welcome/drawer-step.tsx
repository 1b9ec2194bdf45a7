import { chakra } from '@chakra-ui/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { amountForm, readDecimal } from '#domain/decimal.ts';
import { openDrawer } from '#src/db/commands/drawers.ts';
import { MoneyField } from '#src/forms/money-field.tsx';
import { useWriteContext } from '#src/sync/use-write-context.ts';
import { toast } from '#src/ui/toaster.tsx';
import { useOnce } from '#src/ui/use-once.ts';
import { StepFrame } from './step-frame.tsx';
import type { StepProps } from './step-frame.tsx';

/** Opens the first cash drawer of this device with the money that is in it. */
export function DrawerStep({ isFinishing, ...step }: StepProps & { isFinishing: boolean }) {
  const { t } = useTranslation();
  const context = useWriteContext();
  const { pending, once } = useOnce();
  const [text, setText] = useState('');
  const [submitted, setSubmitted] = useState(false);
  const { scaled: floatMinor, fault } = readDecimal(text, amountForm);
  const isUnfit = fault !== undefined || floatMinor === null || floatMinor < 0;
  async function submit() {
    setSubmitted(true);
    if (isUnfit) return;
    const result = await openDrawer(context, { floatMinor });
    // Somebody has opened it at the counter meanwhile.
    if (result.ok || result.refusal.code === 'DRAWER_OPEN') return step.onDone();
    toast({ tone: 'error', title: t('drawer.failed.open'), text: t(`errors.${result.refusal.code}`) });
  }
  return (
    <StepFrame
      title={t('welcome.drawer.title')}
      text={t('welcome.drawer.text')}
      submit={t('welcome.drawer.open')}
      isBusy={pending || isFinishing}
      onSubmit={() => void once(submit)}
      {...step}
    >
      <chakra.div maxWidth={{ md: '18rem' }}>
        <MoneyField
          label={t('drawer.closed.float')}
          text={text}
          onText={setText}
          error={submitted && isUnfit ? t('drawer.count.amountMissing') : undefined}
        />
      </chakra.div>
    </StepFrame>
  );
}
