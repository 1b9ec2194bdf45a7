import { chakra, Flex } from '@chakra-ui/react';
import { FileText } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useStoredFile } from '../api/use-stored-file.ts';

interface AskedPictureProps {
  /** The address of a stored file, or a file that is not uploaded yet. */
  of: string | File;
  /** True for a file that only signed-in people may read. */
  isPrivate: boolean;
  /** Says what it is where it cannot be drawn. */
  text: string;
}

/** Shows a picture beside another one, of which a person takes one. A file that is no picture shows by its name or a text. */
export function AskedPicture({ of, isPrivate, text }: AskedPictureProps) {
  const [failed, setFailed] = useState(false);
  const stored = useStoredFile(typeof of === 'string' && isPrivate ? of : null);
  const source = typeof of !== 'string' ? undefined : isPrivate ? stored.address : of;
  const type = typeof of === 'string' ? stored.content?.type : of.type;
  const show = useCallback(
    (image: HTMLImageElement | null) => {
      if (!image || typeof of === 'string') return undefined;
      const url = URL.createObjectURL(of);
      image.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [of],
  );
  if (failed || stored.fault || (type !== undefined && !type.startsWith('image/')))
    return (
      <Flex align="center" gap="2">
        <FileText size={20} aria-hidden />
        {typeof of === 'string' ? text : of.name}
      </Flex>
    );
  return (
    <chakra.img
      ref={show}
      {...(source !== undefined && { src: source })}
      alt={text}
      width="full"
      maxWidth="12rem"
      borderRadius="md"
      bg="bg.sunken"
      css={{ aspectRatio: '4 / 3', objectFit: 'contain' }}
      onError={() => setFailed(true)}
    />
  );
}
