import { chakra, Flex } from '@chakra-ui/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { pinDigits, pinProblem } from '#domain/staff/pin.ts';
import { setPin } from '#src/auth/pin.ts';
import { PinPad } from '#src/auth/pin-pad.tsx';
import type { VerifierRow } from '#src/db/database.ts';
import { browserPorts } from '#src/db/ports.ts';
import { db } from '#src/local-data/database.ts';
import { Banner } from '#src/ui/banner.tsx';
import { Button } from '#src/ui/button.tsx';

const declinedKey = (userId: number) => `pin-declined-${userId}`;

/** Returns whether a PIN is still to be offered to a person: somebody who has none here, nor a passkey, and has not said no. */
export const isPinDue = ({ pin, passkey, user }: VerifierRow): boolean =>
  pin === undefined && passkey === undefined && localStorage.getItem(declinedKey(user.id)) === null;

interface PinOfferProps {
  person: VerifierRow;
  /** The password that has just opened the vault; it wraps the PIN, and is forgotten with this screen. */
  password: string;
  /** Called when the person has a PIN, or wants none. */
  onDone: () => void;
}

/** Offers a PIN at a person's first lock on this device. */
export function PinOffer({ person, password, onDone }: PinOfferProps) {
  const { t } = useTranslation();
  const [first, setFirst] = useState<string | null>(null);
  const [fault, setFault] = useState<'PIN_EASY' | 'PIN_DIFFERS' | null>(null);
  const [saving, setSaving] = useState(false);
  async function onFull(pin: string): Promise<void> {
    if (first === null) return pinProblem(pin) ? setFault('PIN_EASY') : setFirst(pin);
    if (pin !== first) {
      setFirst(null);
      return setFault('PIN_DIFFERS');
    }
    setSaving(true);
    await setPin(db, browserPorts, { email: person.email, password, pin });
    onDone();
  }
  function decline(): void {
    localStorage.setItem(declinedKey(person.user.id), 'yes');
    onDone();
  }
  return (
    <Flex direction="column" gap="4">
      <chakra.div textAlign="center" minHeight="12">
        <chakra.h2 fontWeight="semibold">{t(first === null ? 'lock.offer.title' : 'profile.pin.again')}</chakra.h2>
        <chakra.p fontSize="sm" color="fg.muted">
          {t('lock.offer.text', { count: pinDigits.min })}
        </chakra.p>
      </chakra.div>
      <PinPad
        key={first}
        digits={pinDigits.min}
        disabled={saving}
        onKey={() => setFault(null)}
        onFull={(pin) => void onFull(pin)}
      />
      <Button variant="quiet" wide disabled={saving} onClick={decline}>
        {t('lock.offer.decline')}
      </Button>
      {/* Below the keys, so that the keys don't move under the finger. */}
      {fault && <Banner tone="refused">{t(`problems.${fault}`)}</Banner>}
    </Flex>
  );
}
