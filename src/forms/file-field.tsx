import { chakra, Flex } from '@chakra-ui/react';
import { FileText, ImagePlus, Trash2 } from 'lucide-react';
import { useCallback, useId, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { RefusalCode } from '#domain/protocol/errors.ts';
import { decideUpload, uploadExtensions } from '#domain/uploads.ts';
import type { UploadPurpose } from '#domain/uploads.ts';
import { Button } from '../ui/button.tsx';

interface FileFieldProps {
  label: string;
  hint?: ReactNode;
  purpose: UploadPurpose;
  /** The chosen file, not uploaded yet. */
  file: File | null;
  /** The file uploaded earlier, with its picture if it is an image. */
  kept: { name: string; picture?: string | undefined } | null;
  onChoose: (file: File) => void;
  onRemove: () => void;
  /** Error of the upload. */
  error?: string | undefined;
  disabled?: boolean;
}

/**
 * Chooses a file and previews it: images as pictures, other files by name. Refuses files that can't be uploaded, and
 * then keeps the earlier choice.
 */
export function FileField({
  label,
  hint,
  purpose,
  file,
  kept,
  onChoose,
  onRemove,
  error,
  disabled = false,
}: FileFieldProps) {
  const { t } = useTranslation();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [refusal, setRefusal] = useState<RefusalCode | null>(null);
  const wrong = refusal ? t(`errors.${refusal}`) : error;
  const name = file?.name ?? kept?.name;

  function choose(files: FileList | null) {
    const chosen = files?.[0];
    if (!chosen) return;
    const agreed = decideUpload({ name: chosen.name, mediaType: chosen.type || null, size: chosen.size, purpose });
    setRefusal(agreed.ok ? null : agreed.refusal.code);
    if (agreed.ok) onChoose(chosen);
  }
  return (
    <Flex
      as="fieldset"
      direction="column"
      gap="1.5"
      width="full"
      minWidth="0"
      aria-describedby={wrong || hint ? `${id}-note` : undefined}
    >
      <chakra.legend fontSize="sm" fontWeight="medium" mb="1.5">
        {label}
      </chakra.legend>
      <Flex
        align="center"
        gap="4"
        p="3"
        bg="bg.surface"
        borderWidth="1px"
        borderColor={wrong ? 'refused.fg' : 'border.strong'}
        borderRadius="md"
        css={{ borderStyle: 'dashed' }}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          if (!disabled) choose(event.dataTransfer.files);
        }}
      >
        <Preview key={file ? `${file.name} ${file.lastModified}` : kept?.picture} file={file} kept={kept} />
        <Flex direction="column" gap="2" minWidth="0" flex="1">
          {name && (
            <chakra.p fontSize="sm" truncate>
              {name}
            </chakra.p>
          )}
          <Flex gap="2" wrap="wrap">
            <Button size="sm" disabled={disabled} onClick={() => input.current?.click()}>
              {t(name ? 'form.file.replace' : 'form.file.choose')}
            </Button>
            {name && (
              <Button
                size="sm"
                variant="dangerQuiet"
                disabled={disabled}
                onClick={() => {
                  setRefusal(null);
                  onRemove();
                }}
              >
                <Trash2 />
                {t('form.file.remove')}
              </Button>
            )}
          </Flex>
        </Flex>
      </Flex>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        accept={uploadExtensions(purpose).join(',')}
        onChange={(event) => {
          choose(event.target.files);
          // Allows the same file to be chosen again.
          event.target.value = '';
        }}
      />
      {(wrong || hint) && (
        <chakra.p
          id={`${id}-note`}
          role={wrong ? 'alert' : undefined}
          fontSize="sm"
          color={wrong ? 'refused.fg' : 'fg.muted'}
        >
          {wrong ?? hint}
        </chakra.p>
      )}
    </Flex>
  );
}

/** Shows an icon if the picture can't be loaded. */
function Preview({ file, kept }: Pick<FileFieldProps, 'file' | 'kept'>) {
  const [failed, setFailed] = useState(false);
  const onError = () => setFailed(true);
  const show = useCallback(
    (image: HTMLImageElement | null) => (image && file ? showFile(image, file) : undefined),
    [file],
  );
  const look = { width: 'full', height: 'full', css: { objectFit: 'cover' }, onError } as const;
  const Sign = file || kept ? FileText : ImagePlus;
  let picture = <Sign size={28} strokeWidth={1.5} aria-hidden />;
  if (file?.type.startsWith('image/') && !failed) picture = <chakra.img ref={show} alt={file.name} {...look} />;
  else if (!file && kept?.picture && !failed) picture = <chakra.img src={kept.picture} alt={kept.name} {...look} />;
  return (
    <Flex
      align="center"
      justify="center"
      width="20"
      height="20"
      flexShrink={0}
      bg="bg.sunken"
      color="fg.muted"
      borderRadius="md"
      overflow="hidden"
    >
      {picture}
    </Flex>
  );
}

/** Shows a local file through an object URL, revoked when the element is removed. */
function showFile(image: HTMLImageElement, file: File): () => void {
  const url = URL.createObjectURL(file);
  image.src = url;
  return () => URL.revokeObjectURL(url);
}
