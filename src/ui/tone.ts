/** What a colour says. `neutral` says nothing, and is the rule. */
export type Tone = 'neutral' | 'accent' | 'due' | 'paid' | 'refused' | 'low' | 'blue' | 'violet';

/** The three colours of a tone: text, its ground, and the line around it. */
export function toneColours(tone: Tone): { color: string; bg: string; borderColor: string } {
  if (tone === 'neutral') return { color: 'fg.muted', bg: 'bg.sunken', borderColor: 'border' };
  return { color: `${tone}.fg`, bg: `${tone}.subtle`, borderColor: `${tone}.border` };
}
