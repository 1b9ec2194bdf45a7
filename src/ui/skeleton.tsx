import { chakra } from '@chakra-ui/react';

/**
 * A placeholder for content that is loading. It stays invisible for the first 300 ms, so that content that loads faster
 * does not flicker.
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
