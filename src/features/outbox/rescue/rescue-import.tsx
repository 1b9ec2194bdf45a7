import { chakra, Flex } from '@chakra-ui/react';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '#src/ui/banner.tsx';
import { Button } from '#src/ui/button.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { StyledTextField } from '#src/ui/styled.tsx';
import { openRescue } from './rescue-file.ts';
import type { RescueContent, RescueFault } from './rescue-file.ts';
import { RescueContents } from './rescue-contents.tsx';

const fileButton = {
  '&::file-selector-button': {
    font: 'inherit',
    fontWeight: 500,
    color: 'inherit',
    cursor: 'pointer',
    minHeight: '8',
    paddingInline: '3',
    marginInlineEnd: '3',
    background: 'bg.sunken',
    border: 'none',
    borderRadius: 'md',
  },
};

export function RescueImport({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [file, setFile] = useState<File | null>(null);
  const [passphrase, setPassphrase] = useState('');
  const [fault, setFault] = useState<RescueFault | null>(null);
  const [busy, setBusy] = useState(false);
  const [content, setContent] = useState<RescueContent | null>(null);

  async function open(event: FormEvent) {
    event.preventDefault();
    if (!file) return;
    setBusy(true);
    const opened = await openRescue(new Uint8Array(await file.arrayBuffer()), passphrase);
    setBusy(false);
    if (opened.ok) setContent(opened.content);
    else setFault(opened.fault);
  }

  if (content) return <RescueContents content={content} onClose={onClose} />;
  return (
    <chakra.form noValidate onSubmit={(event) => void open(event)} display="flex" flexDirection="column" gap="4">
      <StyledTextField
        label={t('outbox.rescue.choose')}
        type="file"
        accept=".dcrescue"
        py="2"
        css={fileButton}
        error={fault !== null && fault !== 'passphrase' ? t(`outbox.rescue.faults.${fault}`) : undefined}
        onChange={(event) => {
          setFile(event.target.files?.[0] ?? null);
          setFault(null);
        }}
      />
      <TextField
        label={t('outbox.rescue.passphrase')}
        type="password"
        autoComplete="off"
        value={passphrase}
        error={fault === 'passphrase' ? t('outbox.rescue.faults.passphrase') : undefined}
        onChange={(event) => {
          setPassphrase(event.target.value);
          setFault(null);
        }}
      />
      <Banner>{t('outbox.rescue.harmless')}</Banner>
      <Flex justify="flex-end" wrap="wrap" gap="2" mt="2">
        <Button onClick={onClose}>{t('outbox.rescue.close')}</Button>
        <Button type="submit" variant="primary" disabled={busy || !file || passphrase === ''}>
          {t(busy ? 'outbox.rescue.unlocking' : 'outbox.rescue.unlock')}
        </Button>
      </Flex>
    </chakra.form>
  );
}
