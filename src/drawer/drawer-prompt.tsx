import { chakra, Flex } from '@chakra-ui/react';
import { Vault } from 'lucide-react';
import { useId, useState } from 'react';
import type { SubmitEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { missingDrawer } from '../db/queries/drawers.ts';
import { useToday } from '../formats/clock.ts';
import { db } from '../local-data/database.ts';
import { useCalmQuery } from '../local-data/live.ts';
import { amountMinor, proposeAmount } from '../tender/keypad.ts';
import type { AmountEntry } from '../tender/keypad.ts';
import { StyledButton } from '../ui/styled.tsx';
import { AmountField } from './amount-field.tsx';
import { useOpenDrawer } from './use-open-drawer.ts';

/** The business day on which somebody answered "Not now". It survives a reload. */
const useDeclined = create<{ day: string | null }>()(
  persist((): { day: string | null } => ({ day: null }), { name: 'drawer-prompt' }),
);

export interface MissingDrawer {
  /** The proposed float. */
  floatMinor: number;
}

/** Returns the drawer that this device lacks for its cash; null if it lacks none or nobody wants one today, undefined while loading. */
export function useMissingDrawer(): MissingDrawer | null | undefined {
  const today = useToday();
  const declinedOn = useDeclined(({ day }) => day);
  const missing = useCalmQuery([db.drawers, db.operation_states], () => missingDrawer(db), null);
  return missing && today && declinedOn !== today ? missing : missing && null;
}

interface DrawerPromptProps {
  /** From `useMissingDrawer`, once it is known. */
  missing: MissingDrawer | null;
  isHidden: boolean;
}

/**
 * A row of the payment that offers to open a drawer while no drawer takes the cash of this device. No payment waits for an
 * answer. The answer "Not now" holds for the business day. The row keeps its place until the payment ends, so that nothing
 * moves.
 */
export function DrawerPrompt({ missing, isHidden }: DrawerPromptProps) {
  const [first] = useState(missing);
  if (!first) return null;
  return (
    <chakra.div visibility={isHidden || !missing ? 'hidden' : undefined}>
      <Prompt {...first} />
    </chakra.div>
  );
}

function Prompt({ floatMinor }: MissingDrawer) {
  const { t } = useTranslation();
  const today = useToday();
  const titleId = useId();
  const { open, pending } = useOpenDrawer();
  const [typed, setTyped] = useState<AmountEntry | null>(null);
  const entry = typed ?? proposeAmount(floatMinor);
  const [submitted, setSubmitted] = useState(false);
  const minor = amountMinor(entry.text);

  function submit(event: SubmitEvent) {
    event.preventDefault();
    setSubmitted(true);
    if (minor !== null) void open(minor);
  }

  return (
    <chakra.section
      aria-labelledby={titleId}
      px="3"
      py="2"
      bg="due.subtle"
      borderWidth="1px"
      borderColor="due.border"
      borderRadius="md"
    >
      <chakra.div aria-live="polite">
        <Flex align="center" justify="space-between" gap="2" mt="-2">
          <chakra.h2
            id={titleId}
            display="flex"
            alignItems="center"
            gap="2"
            fontWeight="semibold"
            lineHeight="tight"
            css={{ '@container payment (width < 42rem)': { fontSize: '{fontSizes.sm}' } }}
          >
            <chakra.span color="due.fg" flexShrink={0} aria-hidden>
              <Vault size={20} />
            </chakra.span>
            {t('drawer.prompt.title')}
          </chakra.h2>
          <StyledButton variant="quiet" px="2" me="-2" onClick={() => useDeclined.setState({ day: today ?? null })}>
            {t('drawer.prompt.notNow')}
          </StyledButton>
        </Flex>
        {/* In a narrow panel the keypad below needs the room more. */}
        <chakra.p
          fontSize="sm"
          color="fg.muted"
          mt="1"
          css={{ '@container payment (width < 42rem)': { display: 'none' } }}
        >
          {t('drawer.prompt.text')}
        </chakra.p>
      </chakra.div>
      <chakra.form noValidate onSubmit={submit} display="flex" flexWrap="wrap" gap="2" mt="1">
        <chakra.div flex="1 1 10rem">
          <AmountField
            label={t('drawer.closed.float')}
            labelHidden
            entry={entry}
            onChange={setTyped}
            error={submitted && minor === null ? t('drawer.count.amountMissing') : undefined}
          />
        </chakra.div>
        <StyledButton type="submit" variant="primary" px="3" flexGrow="1" disabled={pending}>
          {t('drawer.closed.open')}
        </StyledButton>
      </chakra.form>
    </chakra.section>
  );
}
