import { chakra } from '@chakra-ui/react';
import { svgOf } from '#domain/stock/pictures.ts';
import type { Drawing } from '#domain/stock/pictures.ts';

/** A picture of the library before it is stored. It stands beside its name or in a button with one. */
export function DrawnPicture({ drawing, color, width }: { drawing: Drawing; color: string; width: string }) {
  return (
    <chakra.img
      src={`data:image/svg+xml,${encodeURIComponent(svgOf(drawing, color))}`}
      alt=""
      width={width}
      flexShrink={0}
      borderRadius="sm"
      css={{ aspectRatio: '4 / 3', objectFit: 'cover' }}
    />
  );
}
