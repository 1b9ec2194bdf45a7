/** Colours of categories. Each has a contrast of at least 3:1 on every background it is shown on, light and dark. */
export const palette = {
  teal: '#1c8a7f',
  blue: '#2f7fc4',
  indigo: '#6a70d4',
  violet: '#9465c9',
  pink: '#c9549d',
  red: '#cf5148',
  orange: '#c46c1f',
  yellow: '#967c12',
  green: '#4a8f3c',
  slate: '#6b7d92',
} as const;

export type PaletteName = keyof typeof palette;
export const paletteNames = Object.keys(palette) as PaletteName[];
