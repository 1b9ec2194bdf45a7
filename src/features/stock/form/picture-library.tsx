import { chakra } from '@chakra-ui/react';
import { Images } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { palette } from '#domain/stock/palette.ts';
import { drawingNames } from '#domain/stock/pictures.ts';
import type { Drawing } from '#domain/stock/pictures.ts';
import { callServer } from '#src/api/client.ts';
import { DrawnPicture } from '#src/forms/drawn-picture.tsx';
import type { Reply } from '#src/server-data/list-query.ts';
import { useServerCall } from '#src/server-data/use-server-call.ts';
import { Button } from '#src/ui/button.tsx';

interface PictureLibraryProps {
  /** The colour of the category; one that is not of the palette, or null, becomes teal. */
  color: string | null | undefined;
  onChoose: (url: string) => void;
}

/** The drawings that come with the product. A chosen one is stored as the picture, in the colour of the category. */
export function PictureLibrary({ color, onChoose }: PictureLibraryProps) {
  const { t } = useTranslation();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const tint = Object.values(palette).find((known) => known === color) ?? palette.teal;
  const storing = useServerCall(
    async (drawing: Drawing, headers) => {
      const { data } = await callServer<Reply<{ url: string }>>(
        'post',
        'upload/drawing',
        { drawing, color: tint },
        headers,
      );
      onChoose(data.url);
      setOpen(false);
    },
    { refreshes: [], failed: t('upload.picture.title') },
  );
  return (
    <chakra.div display="grid" gap="3" mt="2">
      <chakra.div>
        <Button aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
          <Images />
          {t('stock.pictures.choose')}
        </Button>
      </chakra.div>
      {isOpen && (
        <chakra.ul
          id={id}
          aria-label={t('stock.pictures.label')}
          display="grid"
          gridTemplateColumns="repeat(auto-fill, minmax(5.5rem, 1fr))"
          gap="2"
        >
          {drawingNames.map((drawing) => (
            <li key={drawing}>
              <chakra.button
                type="button"
                disabled={storing.isRunning}
                onClick={() => void storing.run(drawing)}
                display="grid"
                gap="1"
                width="full"
                minHeight="12"
                p="1"
                borderWidth="1px"
                borderColor="border"
                borderRadius="md"
                fontSize="sm"
                lineHeight="1.3"
                color="fg.muted"
                cursor="pointer"
                _hover={{ bg: 'bg.hover', borderColor: 'border.strong' }}
              >
                <DrawnPicture drawing={drawing} color={tint} width="full" />
                <chakra.span truncate>{t(`stock.pictures.names.${drawing}`)}</chakra.span>
              </chakra.button>
            </li>
          ))}
        </chakra.ul>
      )}
    </chakra.div>
  );
}
