import { chakra, Flex } from '@chakra-ui/react';
import { FileSpreadsheet } from 'lucide-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';

/** Takes a table from a file dialogue, or dropped from the desktop. */
export function FileDrop({ onFile }: { onFile: (file: File) => void }) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const take = (files: FileList | null) => files?.[0] && onFile(files[0]);
  return (
    <Flex
      direction="column"
      align="center"
      textAlign="center"
      gap="3"
      px="4"
      py="8"
      bg="bg"
      borderWidth="1px"
      borderColor="border.strong"
      borderRadius="md"
      css={{ borderStyle: 'dashed' }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        take(event.dataTransfer.files);
      }}
    >
      <chakra.span color="fg.muted" aria-hidden>
        <FileSpreadsheet size={32} strokeWidth={1.5} />
      </chakra.span>
      <chakra.p fontSize="sm" color="fg.muted" maxWidth="80">
        {t('spreadsheet.drop')}
      </chakra.p>
      <Button onClick={() => input.current?.click()}>{t('form.file.choose')}</Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t('spreadsheet.file')}
        accept=".csv,.txt,text/csv"
        onChange={({ target }) => {
          take(target.files);
          // The same file may be chosen again, mended.
          target.value = '';
        }}
      />
    </Flex>
  );
}
