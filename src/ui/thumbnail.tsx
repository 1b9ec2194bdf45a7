import { chakra } from '@chakra-ui/react';
import { useState } from 'react';

/** A small picture beside a name that says what it shows. One that cannot be had takes no room. */
export function Thumbnail({ src }: { src: string }) {
  const [failed, setFailed] = useState(false);
  if (failed) return null;
  return (
    <chakra.img
      src={src}
      alt=""
      loading="lazy"
      width="10"
      height="10"
      flexShrink={0}
      borderRadius="md"
      bg="bg.sunken"
      css={{ objectFit: 'cover' }}
      onError={() => setFailed(true)}
    />
  );
}
