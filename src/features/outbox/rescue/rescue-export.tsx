import { chakra, Flex } from '@chakra-ui/react';
import { useLiveQuery } from '#src/local-data/live.ts';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { db } from '#src/local-data/database.ts';
import { unsettledEntries } from '#src/db/queries/tray.ts';
import { Button } from '#src/ui/button.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { toast } from '#src/ui/toaster.tsx';
import { minPassphraseLength } from './rescue-file.ts';
import { saveRescueFile } from './save-rescue.ts';

export function RescueExport({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const entries = useLiveQuery(() => unsettledEntries(db), []);
  const [passphrase, setPassphrase] = useState('');
  const [repeated, setRepeated] = useState('');
  const [submitted, setSubmitted] = useState(false);
  const [busy, setBusy] = useState(false);
  const isShort = passphrase.length < minPassphraseLength;
  const differs = passphrase !== repeated;

  async function save(event: FormEvent) {
    event.preventDefault();
    setSubmitted(true);
    if (isShort || differs || !entries) return;
    setBusy(true);
    await saveRescueFile(db, entries, passphrase);
    toast({ tone: 'success', title: t('outbox.rescue.saved') });
    onClose();
  }

  if (!entries) return null;
  if (entries.length === 0) return <chakra.p py="4">{t('outbox.rescue.nothing')}</chakra.p>;
  return (
    <chakra.form noValidate onSubmit={(event) => void save(event)} display="flex" flexDirection="column" gap="4">
      <chakra.p fontWeight="medium">{t('outbox.rescue.holds', { count: entries.length })}</chakra.p>
      <TextField
        label={t('outbox.rescue.passphrase')}
        hint={t('outbox.rescue.passphraseHint')}
        error={submitted && isShort ? t('outbox.rescue.short') : undefined}
        type="password"
        autoComplete="new-password"
        value={passphrase}
        onChange={(event) => setPassphrase(event.target.value)}
      />
      <TextField
        label={t('outbox.rescue.repeat')}
        error={submitted && differs ? t('outbox.rescue.differ') : undefined}
        type="password"
        autoComplete="new-password"
        value={repeated}
        onChange={(event) => setRepeated(event.target.value)}
      />
      <Flex justify="flex-end" wrap="wrap" gap="2" mt="2">
        <Button onClick={onClose}>{t('outbox.rescue.close')}</Button>
        <Button type="submit" variant="primary" disabled={busy}>
          {t(busy ? 'outbox.rescue.encrypting' : 'outbox.rescue.download')}
        </Button>
      </Flex>
    </chakra.form>
  );
}
