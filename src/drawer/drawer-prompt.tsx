import { chakra, Flex } from '@chakra-ui/react';
import { Vault } from 'lucide-react';
import { useId, useState } from 'react';
import type { SubmitEvent } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { missingDrawer } from '../db/queries/drawers.ts';
import { useToday } from '../formats/clock.ts';
import { db } from '../local-data/database.ts';
import { useCalmQuery } from '../local-data/live.ts';
import { amountMinor, proposeAmount } from '../tender/keypad.ts';
import type { AmountEntry } from '../tender/keypad.ts';
import { Button } from '../ui/button.tsx';
import { StyledButton } from '../ui/styled.tsx';
import { AmountField } from './amount-field.tsx';
import { useOpenDrawer } from './use-open-drawer.ts';

/** The business day on which somebody answered "Not now". It survives a reload. */
const useDeclined = create<{ day: string | null }>()(
  persist((): { day: string | null } => ({ day: null }), { name: 'drawer-prompt' }),
);

/**
 * Offers to open a drawer while no drawer takes the cash of this device. It lies over the edge of the screen where toasts
 * show, so that nothing moves and no payment waits for an answer. The answer "Not now" holds for the business day.
 */
export function DrawerPrompt() {
  const today = useToday();
  const declinedOn = useDeclined(({ day }) => day);
  const missing = useCalmQuery([db.drawers, db.operation_states], () => missingDrawer(db), null);
  if (!missing || !today || declinedOn === today) return null;
  return createPortal(
    <Prompt floatMinor={missing.floatMinor} onDecline={() => useDeclined.setState({ day: today })} />,
    document.body,
  );
}

/** @param floatMinor the proposed float */
function Prompt({ floatMinor, onDecline }: { floatMinor: number; onDecline: () => void }) {
  const { t } = useTranslation();
  const titleId = useId();
  const { open, pending } = useOpenDrawer();
  const [typed, setTyped] = useState<AmountEntry | null>(null);
  const entry = typed ?? proposeAmount(floatMinor);
  const [submitted, setSubmitted] = useState(false);
  const minor = amountMinor(entry.text);

  function submit(event: SubmitEvent) {
    event.preventDefault();
    // In React's tree the form lies within that of the payment, which would take the payment.
    event.stopPropagation();
    setSubmitted(true);
    if (minor !== null) void open(minor);
  }

  return (
    <chakra.section
      aria-labelledby={titleId}
      position="fixed"
      zIndex="popover"
      top={{ base: 'calc(0.5rem + env(safe-area-inset-top))', md: 'auto' }}
      bottom={{ base: 'auto', md: 'calc(1rem + env(safe-area-inset-bottom))' }}
      insetInlineStart={{ base: '2', md: '4' }}
      width={{ base: 'calc(100vw - 1rem)', md: '22rem' }}
      px="4"
      py="3"
      bg="bg.surface"
      borderWidth="1px"
      borderColor="border.strong"
      borderRadius="md"
      boxShadow="raised"
      animation="rise 160ms ease-out"
    >
      <Flex gap="2" align="flex-start" justify="space-between">
        <chakra.div aria-live="polite" minWidth="0">
          <chakra.h2 id={titleId} display="flex" alignItems="center" gap="2" fontWeight="semibold" lineHeight="tight">
            <chakra.span color="due.fg" flexShrink={0} aria-hidden>
              <Vault size={20} />
            </chakra.span>
            {t('drawer.prompt.title')}
          </chakra.h2>
          <chakra.p fontSize="sm" color="fg.muted" mt="1">
            {t('drawer.prompt.text')}
          </chakra.p>
        </chakra.div>
        <StyledButton variant="quiet" px="3" mt="-3" me="-3" onClick={onDecline}>
          {t('drawer.prompt.notNow')}
        </StyledButton>
      </Flex>
      <chakra.form
        noValidate
        onSubmit={submit}
        mt="3"
        display="grid"
        gridTemplateColumns="minmax(0, 1fr) auto"
        alignItems="start"
        gap="2"
      >
        <AmountField
          label={t('drawer.closed.float')}
          labelHidden
          entry={entry}
          onChange={setTyped}
          error={submitted && minor === null ? t('drawer.count.amountMissing') : undefined}
        />
        <Button type="submit" variant="primary" disabled={pending}>
          {t('drawer.closed.open')}
        </Button>
      </chakra.form>
    </chakra.section>
  );
}
