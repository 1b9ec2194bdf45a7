import { chakra } from '@chakra-ui/react';
import { Package } from 'lucide-react';
import { useState } from 'react';

/** A small picture beside a name, which describes it. A picture that fails to load is removed. */
export function Thumbnail({ src }: { src: string }) {
  const [failed, setFailed] = useState(false);
  if (failed) return null;
  return (
    <chakra.img
      src={src}
      alt=""
      loading="lazy"
      width="var(--picture, 2.5rem)"
      height="var(--picture, 2.5rem)"
      flexShrink={0}
      borderRadius="md"
      bg="bg.sunken"
      css={{ objectFit: 'cover' }}
      onError={() => setFailed(true)}
    />
  );
}

/** The place of a picture that is not there, so that the names of a list begin below each other: a sign, or a shade of a colour. */
export function NoThumbnail({ color = null }: { color?: string | null }) {
  return (
    <chakra.span
      aria-hidden
      display="flex"
      alignItems="center"
      justifyContent="center"
      color="fg.muted"
      width="var(--picture, 2.5rem)"
      height="var(--picture, 2.5rem)"
      flexShrink={0}
      borderRadius="md"
      {...(color && { style: { background: `color-mix(in srgb, ${color} 24%, transparent)` } })}
    >
      {!color && <Package size={16} />}
    </chakra.span>
  );
}
