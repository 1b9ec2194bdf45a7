import type { PaperWidth } from '../../domain/settings/settings.ts';

const millimetresPerPixel = 25.4 / 96;

/**
 * The page rule of a paper. Chromium ignores `size: 80mm auto` and prints on Letter, so a roll's page gets the measured
 * height in millimetres, and one more against rounding, which would push the last line onto a second page.
 */
export function pageRule(width: PaperWidth, heightPx: number): string {
  if (width === 'A4') return '@page { size: A4; margin: 15mm; }';
  const heightMm = Math.ceil(heightPx * millimetresPerPixel) + 1;
  return `@page { size: ${width} ${heightMm}mm; margin: 0; }`;
}
