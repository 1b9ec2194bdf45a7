import { chakra, Flex } from '@chakra-ui/react';
import { FileSpreadsheet } from 'lucide-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#src/ui/button.tsx';

/** Accepts a CSV file from the file dialog or by drag and drop. */
export function FileDrop({ onFile }: { onFile: (file: File) => void }) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const accept = (files: FileList | null) => files?.[0] && onFile(files[0]);
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
        accept(event.dataTransfer.files);
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
          accept(target.files);
          // Cleared so that choosing the same file again, after a correction, fires the event.
          target.value = '';
        }}
      />
    </Flex>
  );
}
