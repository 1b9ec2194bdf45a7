/**
 * The theme: neutral surfaces, one accent colour, and other colours only for states and kinds. It extends Chakra's base
 * without Chakra's recipes: the components of this folder have their own, so that no unused styles load.
 *
 * In both colour modes, every foreground has a contrast of at least 4.5:1 on `bg`, `bg.surface` and its own `subtle`,
 * and field borders have one of at least 3:1.
 */
import { createSystem, defineConfig } from '@chakra-ui/react';
import { styleProps } from './style-props.ts';

const steps = [
  0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 24, 28, 32, 40, 48, 56, 64, 72, 80, 96,
];

/** Chakra's scale, in steps of 4 px: `2` is 8 px, `12` the smallest tap target, `16` a tile. */
const scale = Object.fromEntries(steps.map((step) => [step, { value: `${step * 0.25}rem` }]));

const value = (base: string, _dark: string) => ({ value: { base, _dark } });

const meaning = (fg: [string, string], subtle: [string, string], border: [string, string]) => ({
  fg: value(...fg),
  subtle: value(...subtle),
  border: value(...border),
});

const config = defineConfig({
  preflight: true,
  globalCss: {
    // The viewport takes `overscroll-behavior` from the root element: nothing bounces, and no pull reloads the page.
    html: { lineHeight: '1.5', textSizeAdjust: '100%', overscrollBehavior: 'none' },
    body: {
      fontFamily: 'body',
      fontSize: 'md',
      color: 'fg',
      bg: 'bg',
      fontFeatureSettings: "'cv11', 'ss03'",
      paddingInline: 'env(safe-area-inset-left) env(safe-area-inset-right)',
    },
    '::placeholder': { color: 'fg.muted', opacity: 1 },
    ':placeholder-shown': { textOverflow: 'ellipsis' },
    '::selection': { bg: 'accent.solid', color: 'accent.contrast' },
    ':focus-visible': { outline: '3px solid', outlineColor: 'accent.ring', outlineOffset: '2px' },
    // Two quick taps are two taps and no zoom. Each element says so, because one that scrolls starts anew.
    '*': { touchAction: 'manipulation' },
  },
  theme: {
    breakpoints: { sm: '480px', md: '768px', lg: '1024px', xl: '1280px' },
    keyframes: {
      appear: { from: { opacity: 0 }, to: { opacity: 1 } },
      breathe: { '0%, 100%': { opacity: 1 }, '50%': { opacity: 0.55 } },
      enterStart: { from: { translate: '-100% 0' }, to: { translate: '0 0' } },
      enterEnd: { from: { translate: '100% 0' }, to: { translate: '0 0' } },
      turn: { to: { rotate: '1turn' } },
      rise: { from: { opacity: 0, translate: '0 8px' }, to: { opacity: 1, translate: '0 0' } },
    },
    textStyles: {
      /** A figure on a card or in a strip. */
      figure: {
        value: {
          fontSize: 'lg',
          fontWeight: 'semibold',
          lineHeight: 'tight',
          letterSpacing: 'tight',
          fontVariantNumeric: 'tabular-nums',
          overflowWrap: 'anywhere',
        },
      },
    },
    tokens: {
      fonts: {
        body: { value: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif" },
        mono: { value: "ui-monospace, 'SF Mono', Menlo, Consolas, monospace" },
      },
      fontSizes: { sm: { value: '0.875rem' }, md: { value: '1rem' }, lg: { value: '1.25rem' }, xl: { value: '2rem' } },
      fontWeights: { normal: { value: '420' }, medium: { value: '540' }, semibold: { value: '620' } },
      // Firefox rounds the font's ascent and descent, 1.21 together, to whole pixels: a lower line that cuts off what
      // is too long would cut descenders too.
      lineHeights: { tight: { value: '1.3' }, normal: { value: '1.5' } },
      letterSpacings: { tight: { value: '-0.02em' } },
      spacing: scale,
      sizes: { ...scale, full: { value: '100%' } },
      radii: { md: { value: '0.5rem' }, full: { value: '999px' } },
      borders: { hairline: { value: '1px solid' } },
      durations: { fast: { value: '120ms' }, moderate: { value: '180ms' } },
      zIndex: { docked: { value: 10 }, overlay: { value: 100 }, toast: { value: 1000 } },
    },
    semanticTokens: {
      colors: {
        bg: {
          DEFAULT: value('#f6f5f1', '#101718'),
          surface: value('#ffffff', '#182122'),
          sunken: value('#edebe4', '#0b1112'),
          hover: value('#efede6', '#202b2d'),
        },
        fg: { DEFAULT: value('#152120', '#e9ece7'), muted: value('#56625f', '#9dacaa') },
        border: { DEFAULT: value('#dedbd1', '#2b383a'), strong: value('#848e8a', '#6b7d7e') },
        accent: {
          solid: value('#0b5d59', '#58c2b7'),
          hover: value('#084845', '#7ad3c9'),
          contrast: value('#ffffff', '#04211e'),
          fg: value('#0b5d59', '#6fcfc4'),
          subtle: value('#e2efec', '#16302f'),
          border: value('#a9cdc8', '#2c5753'),
          ring: value('#14857f', '#6fcfc4'),
        },
        due: meaning(['#874600', '#f3b65c'], ['#fcf0dc', '#33270f'], ['#ecc98f', '#5f4817']),
        paid: meaning(['#1b6838', '#7fce97'], ['#e3f3e7', '#14301d'], ['#a6d4b2', '#265a37']),
        refused: meaning(['#a62820', '#ff9f94'], ['#fcebe8', '#3a1a17'], ['#efb4ad', '#6d302a']),
        low: meaning(['#6f5600', '#e0c75c'], ['#f8f2d4', '#2e2910'], ['#d9c878', '#554a1a']),
        // These two distinguish kinds, such as staff roles, and stand for no state.
        blue: meaning(['#1d5a96', '#8fc0ee'], ['#e4eef8', '#152736'], ['#abc9e6', '#284b6b']),
        violet: meaning(['#6a3fa0', '#c9aef0'], ['#f0e8f9', '#2a1d3a'], ['#cdb6e6', '#4c3669']),
        danger: {
          solid: value('#a62820', '#ff9f94'),
          hover: value('#861d17', '#ffb8b0'),
          contrast: value('#ffffff', '#2c0906'),
        },
        // The coloured background of the app's name on the sign-in page.
        brand: {
          bg: value('#0b5150', '#0c2625'),
          fg: value('#ffffff', '#e9f3f0'),
          muted: value('#c3dedb', '#9fbfbb'),
          line: value('rgb(255 255 255 / 0.18)', 'rgb(255 255 255 / 0.12)'),
        },
        backdrop: value('rgb(21 33 32 / 0.45)', 'rgb(0 0 0 / 0.6)'),
      },
      shadows: {
        raised: value(
          '0 1px 2px rgb(21 33 32 / 0.06), 0 12px 32px rgb(21 33 32 / 0.14)',
          '0 1px 2px rgb(0 0 0 / 0.4), 0 12px 32px rgb(0 0 0 / 0.5)',
        ),
      },
    },
  },
});

export const system = createSystem(styleProps, config);
