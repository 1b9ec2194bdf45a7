import { chakra } from '@chakra-ui/react';

/** A row of a list that is a button as a whole. */
export const PressableRow = chakra(
  'button',
  {
    base: {
      display: 'flex',
      alignItems: 'center',
      gap: '3',
      width: 'full',
      px: '4',
      py: '3',
      textAlign: 'start',
      cursor: 'pointer',
      _hover: { bg: 'bg.hover' },
      _focusVisible: { outlineOffset: '-3px' },
    },
  },
  { defaultProps: { type: 'button' } },
);
