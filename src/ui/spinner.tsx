import { chakra } from '@chakra-ui/react';
import { LoaderCircle } from 'lucide-react';

/** A busy indicator. It stays invisible for the first 300 ms, so that shorter work does not flicker. */
export function Spinner({ size = 20 }: { size?: number }) {
  return (
    <chakra.span
      aria-hidden
      display="inline-flex"
      opacity={0}
      animation="appear 150ms 300ms forwards"
      css={{ '& svg': { animation: 'turn 900ms linear infinite' } }}
    >
      <LoaderCircle size={size} />
    </chakra.span>
  );
}
