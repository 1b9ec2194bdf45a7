import { chakra } from '@chakra-ui/react';

/** List row that is one button. */
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
