import { chakra } from '@chakra-ui/react';
import type { ServiceResource } from '#domain/stock/resources.ts';
import { Thumbnail } from '#src/ui/thumbnail.tsx';

/** The picture of a service; without one a field in the colour of its category. */
export function ServicePicture({ service: { image_url }, color }: { service: ServiceResource; color: string | null }) {
  if (image_url) return <Thumbnail key={image_url} src={image_url} />;
  return (
    <chakra.span
      aria-hidden
      width="var(--picture, 2.5rem)"
      height="var(--picture, 2.5rem)"
      flexShrink={0}
      borderRadius="md"
      bg="bg.sunken"
      {...(color && { style: { background: `color-mix(in srgb, ${color} 24%, transparent)` } })}
    />
  );
}
