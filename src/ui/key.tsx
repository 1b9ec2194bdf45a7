import { chakra } from '@chakra-ui/react';

/** A key of 64 px, or 48 px on phones. */
export const Key = chakra('button', {
  base: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'center',
    minHeight: { base: '12', md: '16' },
    bg: 'bg.surface',
    borderWidth: '1px',
    borderColor: 'border',
    borderRadius: 'md',
    fontSize: 'lg',
    fontWeight: 'medium',
    fontVariantNumeric: 'tabular-nums',
    cursor: 'pointer',
    userSelect: 'none',
    _hover: { bg: 'bg.hover' },
    _active: { bg: 'accent.subtle' },
  },
});
