import { expect, test } from 'vitest';
import { palette } from '#domain/stock/palette.ts';

/** Backgrounds that category colours are shown on: pages, rows and pressed chips, light and dark. */
const backgrounds = ['#ffffff', '#f6f5f1', '#efede6', '#182122', '#202b2d', '#152120', '#e9ece7'];

function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

test.each(Object.entries(palette))('%s has a contrast of at least 3:1 on every background', (_name, colour) => {
  for (const background of backgrounds) expect(contrast(colour, background), background).toBeGreaterThanOrEqual(3);
});
