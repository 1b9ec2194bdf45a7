import { chakra, Flex } from '@chakra-ui/react';
import { useLiveQuery } from '#src/local-data/live.ts';
import { use, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addPasskey, canUsePasskeys, removePasskey } from '#src/auth/passkey.ts';
import type { PasskeyAnswer, PasskeyPlace } from '#src/auth/passkey.ts';
import { useLockoutText } from '#src/auth/use-lockout-text.ts';
import { emailKey } from '#src/db/database.ts';
import { browserPorts } from '#src/db/ports.ts';
import { FormSection, WholeRow } from '#src/forms/form-section.tsx';
import { db } from '#src/local-data/database.ts';
import { Banner } from '#src/ui/banner.tsx';
import { Button } from '#src/ui/button.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { toast } from '#src/ui/toaster.tsx';

type Refusal = Exclude<PasskeyAnswer, { ok: true }>;

const places: readonly PasskeyPlace[] = ['carried', 'device'];
const usable = canUsePasskeys();

/** Adds or removes the person's passkey on this device, which checks the password itself. Nothing where none can be had. */
export function PasskeyForm({ email }: { email: string }) {
  const { t } = useTranslation();
  const isUsable = use(usable);
  const verifier = useLiveQuery(() => db.verifiers.get(emailKey(email)), [email]);
  const [password, setPassword] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const [adding, setAdding] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  async function add(place: PasskeyPlace): Promise<void> {
    if (password === '') return field.current?.focus();
    setAdding(true);
    setRefusal(null);
    const answer = await addPasskey(db, browserPorts, { email, password, place });
    setAdding(false);
    if (!answer.ok) return setRefusal(answer);
    setPassword('');
    toast({ tone: 'success', title: t('profile.passkey.saved') });
  }
  async function remove(): Promise<void> {
    await removePasskey(db, email);
    toast({ tone: 'success', title: t('profile.passkey.removed') });
  }
  if (!isUsable || !verifier) return null;
  return (
    <FormSection title={t('profile.passkey.title')} text={t('profile.passkey.text')}>
      {refusal && (
        <WholeRow>
          <Banner tone="refused">
            <RefusalText refusal={refusal} />
          </Banner>
        </WholeRow>
      )}
      <WholeRow>
        <chakra.div maxWidth={{ base: 'none', md: 'calc(50% - 0.625rem)' }}>
          <TextField
            label={t('profile.passkey.password')}
            type="password"
            autoComplete="current-password"
            ref={field}
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </chakra.div>
      </WholeRow>
      <WholeRow>
        <chakra.p fontSize="sm" color="fg.muted">
          {t('profile.passkey.hint')}
        </chakra.p>
      </WholeRow>
      <WholeRow>
        <Flex justify="flex-end" align="center" wrap="wrap" gap="2">
          {verifier.passkey && (
            <>
              <chakra.p me="auto" fontSize="sm" color="fg.muted">
                {t('profile.passkey.isSet')}
              </chakra.p>
              <Button variant="dangerQuiet" onClick={() => void remove()}>
                {t('profile.passkey.remove')}
              </Button>
            </>
          )}
          {places.map((place) => (
            <Button key={place} disabled={adding} onClick={() => void add(place)}>
              {t(`profile.passkey.${place}`)}
            </Button>
          ))}
        </Flex>
      </WholeRow>
    </FormSection>
  );
}

function RefusalText({ refusal }: { refusal: Refusal }) {
  const { t } = useTranslation();
  const lockoutText = useLockoutText();
  if (refusal.code === 'LOCKED') return lockoutText(refusal.waitMs);
  if (refusal.code === 'CREDENTIALS_INVALID') return t('problems.PASSWORD_WRONG');
  if (refusal.code === 'CANCELLED' || refusal.code === 'PASSKEY_UNFIT') return t(`profile.passkey.${refusal.code}`);
  return t(`lock.${refusal.code}`);
}
