import { chakra } from '@chakra-ui/react';

/**
 * The place of something that is on its way. It stays invisible for the first 300 ms: what comes faster than that should
 * not flicker.
 */
export const Skeleton = chakra(
  'div',
  {
    base: {
      bg: 'bg.sunken',
      borderRadius: 'md',
      opacity: 0,
      animation: 'appear 150ms 300ms forwards, breathe 1600ms 450ms infinite',
    },
  },
  { defaultProps: { 'aria-hidden': true } },
);
