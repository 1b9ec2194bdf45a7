import { chakra } from '@chakra-ui/react';
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
