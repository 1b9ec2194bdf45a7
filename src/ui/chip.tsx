import { chakra } from '@chakra-ui/react';

/** A pill of a row of choices. `aria-pressed` marks the chosen one. */
export const Chip = chakra('button', {
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '2',
    flexShrink: 0,
    minHeight: '12',
    px: '4',
    borderRadius: 'full',
    borderWidth: '1px',
    borderColor: 'border.strong',
    bg: 'bg.surface',
    fontWeight: 'medium',
    whiteSpace: 'nowrap',
    cursor: 'pointer',
    _hover: { bg: 'bg.hover' },
    _pressed: { bg: 'fg', color: 'bg', borderColor: 'fg' },
    // The scrolling row would clip an outer focus ring.
    _focusVisible: { outlineOffset: '-4px' },
  },
});
