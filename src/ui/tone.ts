import type { CSSProperties } from 'react';

/** Meaning of a colour; `neutral`, the default, has none. */
export type Tone = 'neutral' | 'accent' | 'due' | 'paid' | 'refused' | 'low' | 'blue' | 'violet';

/** Returns the colours of a tone for text, background and border. */
export function toneColours(tone: Tone): { color: string; bg: string; borderColor: string } {
  if (tone === 'neutral') return { color: 'fg.muted', bg: 'bg.sunken', borderColor: 'border' };
  return { color: `${tone}.fg`, bg: `${tone}.subtle`, borderColor: `${tone}.border` };
}

const variable = (colour: string): string => `var(--chakra-colors-${colour.replace('.', '-')})`;

/** Sets `--tone-fg`, `--tone-bg` and `--tone-border` for the style sheet of an element. */
export function toneVariables(tone: Tone): CSSProperties {
  const { color, bg, borderColor } = toneColours(tone);
  return {
    '--tone-fg': variable(color),
    '--tone-bg': variable(bg),
    '--tone-border': variable(borderColor),
  } as CSSProperties;
}
