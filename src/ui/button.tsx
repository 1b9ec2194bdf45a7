import { chakra, defineRecipe } from '@chakra-ui/react';

/** Sizes: `md` (48 px) is the default, `lg` (64 px) is for the counter's main actions, `sm` (40 px) for tables. */
const buttonRecipe = defineRecipe({
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    justifyContent: 'center',
    gap: '2',
    flexShrink: 0,
    borderRadius: 'md',
    borderWidth: '1px',
    borderColor: 'transparent',
    fontWeight: 'medium',
    lineHeight: 'tight',
    textAlign: 'center',
    textDecoration: 'none',
    cursor: 'pointer',
    userSelect: 'none',
    transition: 'background-color 120ms, border-color 120ms, color 120ms',
    _icon: { width: '5', height: '5', flexShrink: 0 },
    _disabled: { opacity: 0.5, cursor: 'not-allowed' },
  },
  variants: {
    variant: {
      primary: {
        bg: 'accent.solid',
        color: 'accent.contrast',
        _hover: { bg: 'accent.hover' },
        _active: { bg: 'accent.hover' },
      },
      secondary: {
        bg: 'bg.surface',
        color: 'fg',
        borderColor: 'border.strong',
        _hover: { bg: 'bg.hover' },
        _active: { bg: 'bg.sunken' },
        _pressed: { bg: 'accent.subtle', borderColor: 'accent.solid', color: 'accent.fg' },
      },
      quiet: {
        color: 'fg',
        _hover: { bg: 'bg.hover' },
        _active: { bg: 'bg.sunken' },
        _pressed: { bg: 'accent.subtle', color: 'accent.fg' },
      },
      danger: {
        bg: 'danger.solid',
        color: 'danger.contrast',
        _hover: { bg: 'danger.hover' },
        _active: { bg: 'danger.hover' },
      },
      dangerQuiet: {
        color: 'refused.fg',
        _hover: { bg: 'refused.subtle' },
        _active: { bg: 'refused.subtle' },
      },
    },
    size: {
      sm: { minHeight: '10', px: '3', fontSize: 'sm' },
      md: { minHeight: '12', px: '4', fontSize: 'md' },
      lg: { minHeight: '16', px: '6', fontSize: 'lg' },
    },
    wide: { true: { width: 'full' } },
  },
  defaultVariants: { variant: 'secondary', size: 'md' },
});

export const Button = chakra('button', buttonRecipe, { defaultProps: { type: 'button' } });
