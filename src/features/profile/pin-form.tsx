import { chakra, Flex } from '@chakra-ui/react';
import { useLiveQuery } from '#src/local-data/live.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { pinDigits, pinProblem } from '#domain/staff/pin.ts';
import { db } from '#src/local-data/database.ts';
import { useDraftForm } from '#src/forms/draft-form.ts';
import { emailKey } from '#src/db/database.ts';
import { browserPorts } from '#src/db/ports.ts';
import { FormSection, WholeRow } from '#src/forms/form-section.tsx';
import { useLockoutText } from '#src/auth/use-lockout-text.ts';
import { removePin, setPin } from '#src/auth/pin.ts';
import type { OfflineRefusal } from '#src/auth/verifier.ts';
import { Banner } from '#src/ui/banner.tsx';
import { Button } from '#src/ui/button.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { toast } from '#src/ui/toaster.tsx';

const blank = { password: '', pin: '', again: '' };
const secrets = ['password', 'pin', 'again'] as const;

/** Sets or removes the person's PIN on this device. The PIN never leaves the device, which checks the password itself. */
export function PinForm({ email }: { email: string }) {
  const { t } = useTranslation();
  const verifier = useLiveQuery(async () => (await db.verifiers.get(emailKey(email))) ?? null, [email]);
  const [saving, setSaving] = useState(false);
  const [refusal, setRefusal] = useState<OfflineRefusal | null>(null);
  const form = useDraftForm({
    name: 'pin',
    initial: blank,
    problemsOf: ({ password, pin, again }) => {
      const problem = pinProblem(pin);
      return {
        ...(password === '' && { password: 'REQUIRED' as const }),
        ...(problem && { pin: problem }),
        ...(!problem && again !== pin && { again: 'PIN_DIFFERS' as const }),
      };
    },
    secrets,
  });
  async function submit({ password, pin }: typeof blank) {
    setSaving(true);
    setRefusal(null);
    const answer = await setPin(db, browserPorts, { email, password, pin });
    if (answer.ok) {
      form.reset(blank);
      toast({ tone: 'success', title: t('profile.pin.saved') });
    } else if (answer.code === 'CREDENTIALS_INVALID') form.setError('password', { type: 'PASSWORD_WRONG' });
    else setRefusal(answer);
    setSaving(false);
  }
  async function remove() {
    await removePin(db, email);
    toast({ tone: 'success', title: t('profile.pin.removed') });
  }
  if (verifier === undefined) return null;
  const field = (name: 'pin' | 'again') => (
    <TextField
      label={t(`profile.pin.${name === 'pin' ? 'next' : 'again'}`)}
      type="password"
      inputMode="numeric"
      autoComplete="off"
      maxLength={pinDigits.max}
      hint={name === 'pin' ? t('profile.pin.hint') : undefined}
      error={form.errorOf(name)}
      {...form.register(name)}
    />
  );
  return (
    <form noValidate onSubmit={(event) => void form.handleSubmit(submit)(event)}>
      <FormSection title={t('profile.pin.title')} text={t('profile.pin.text')}>
        {verifier === null ? (
          <WholeRow>{t('profile.pin.impossible')}</WholeRow>
        ) : (
          <>
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
                  label={t('profile.pin.password')}
                  type="password"
                  autoComplete="current-password"
                  error={form.errorOf('password')}
                  {...form.register('password')}
                />
              </chakra.div>
            </WholeRow>
            {field('pin')}
            {field('again')}
            <WholeRow>
              <Flex justify="flex-end" align="center" wrap="wrap" gap="2">
                {verifier.pin && (
                  <>
                    <chakra.p me="auto" fontSize="sm" color="fg.muted">
                      {t('profile.pin.isSet')}
                    </chakra.p>
                    <Button variant="dangerQuiet" onClick={() => void remove()}>
                      {t('profile.pin.remove')}
                    </Button>
                  </>
                )}
                <Button type="submit" variant="primary" disabled={saving}>
                  {saving ? t('form.saving') : t(verifier.pin ? 'profile.pin.change' : 'profile.pin.set')}
                </Button>
              </Flex>
            </WholeRow>
          </>
        )}
      </FormSection>
    </form>
  );
}

function RefusalText({ refusal }: { refusal: OfflineRefusal }) {
  const { t } = useTranslation();
  const lockoutText = useLockoutText();
  if (refusal.code === 'LOCKED') return lockoutText(refusal.waitMs);
  return t(refusal.code === 'CREDENTIALS_INVALID' ? 'problems.PASSWORD_WRONG' : `lock.${refusal.code}`);
}
