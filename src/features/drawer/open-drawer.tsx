import { chakra } from '@chakra-ui/react';
import { LockKeyholeOpen } from 'lucide-react';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { amountMinor, proposeAmount } from '#src/tender/keypad.ts';
import type { AmountEntry } from '#src/tender/keypad.ts';
import { Button } from '#src/ui/button.tsx';
import { AmountFieldWithKeypad } from '#src/drawer/amount-field.tsx';
import { useOpenDrawer } from '#src/drawer/use-open-drawer.ts';

interface OpenDrawerProps {
  /** The proposed float. */
  floatMinor: number;
  onOpened: () => void;
}

export function OpenDrawer(props: OpenDrawerProps) {
  const { t } = useTranslation();
  return (
    <chakra.section
      aria-labelledby="drawer-closed"
      display="grid"
      // Beside the form only where the text has the room of a few words a line.
      gridTemplateColumns="repeat(auto-fit, minmax(min(16rem, 100%), 1fr))"
      gap="6"
      p={{ base: '4', md: '6' }}
      bg="bg.surface"
      borderWidth="1px"
      borderColor="border"
      borderRadius="md"
    >
      <div>
        <chakra.h2 id="drawer-closed" fontSize="lg" fontWeight="semibold" lineHeight="tight">
          {t('drawer.closed.title')}
        </chakra.h2>
        <chakra.p color="fg.muted" mt="1">
          {t('drawer.closed.text')}
        </chakra.p>
      </div>
      <FloatForm {...props} />
    </chakra.section>
  );
}

function FloatForm({ floatMinor, onOpened }: OpenDrawerProps) {
  const { t } = useTranslation();
  const { open, pending } = useOpenDrawer();
  // The proposal changes until somebody types, because the last drawer may arrive after the screen has opened.
  const [typed, setTyped] = useState<AmountEntry | null>(null);
  const entry = typed ?? proposeAmount(floatMinor);
  const [submitted, setSubmitted] = useState(false);
  const minor = amountMinor(entry.text);

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    setSubmitted(true);
    if (minor !== null && (await open(minor))) onOpened();
  }

  return (
    <chakra.form
      noValidate
      onSubmit={(event) => void submit(event)}
      display="flex"
      flexDirection="column"
      gap="4"
      minWidth="0"
    >
      <AmountFieldWithKeypad
        label={t('drawer.closed.float')}
        entry={entry}
        onChange={setTyped}
        error={submitted && minor === null ? t('drawer.count.amountMissing') : undefined}
      />
      <Button type="submit" variant="primary" size="lg" wide disabled={pending}>
        <LockKeyholeOpen />
        {t('drawer.closed.open')}
      </Button>
    </chakra.form>
  );
}
