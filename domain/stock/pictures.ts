/**
 * The pictures that come with the product: line drawings in the colour of a category, on a tint of it that lets the page
 * through, so that they suit light and dark. The demo, the starter list and the picture library use them.
 */

const width = 320;
const height = 240;

const tooth =
  'M60 20C46 10 22 14 22 40c0 18 8 24 12 44 2 10 4 20 10 20s6-14 8-24c1-6 4-10 8-10s7 4 8 10c2 10 2 24 8 24s8-10 10-20c4-20 12-26 12-44 0-26-24-30-38-20Z';
const line = (d: string) => `<path d="${d}"/>`;
const solid = (d: string) => `<path d="${d}" fill="currentColor"/>`;
const spot = (x: number, y: number, r: number) => `<circle cx="${x}" cy="${y}" r="${r}" fill="currentColor"/>`;
const star = (x: number, y: number, r: number) =>
  solid(
    `M${x} ${y - r}q${r / 5} ${r * 0.8} ${r} ${r}q${-r * 0.8} ${r / 5} ${-r} ${r}q${-r / 5} ${-r * 0.8} ${-r} ${-r}q${r * 0.8} ${-r / 5} ${r} ${-r}Z`,
  );
const whole = line(tooth);
const arch = line('M18 96V66a42 42 0 0 1 84 0v30H78V68a18 18 0 0 0-36 0v28Z');

const drawings = {
  tooth: whole,
  lens: whole + '<circle cx="84" cy="78" r="18" fill="var(--page)"/>' + line('M97 92l14 14'),
  clean: whole + star(92, 26, 15) + star(26, 92, 10),
  gum: whole + line('M8 62q13-12 26 0t26 0 26 0 26 0'),
  shield: whole + solid('M60 40l18 6v14q0 14-18 22-18-8-18-22V46Z'),
  drop: whole + solid('M60 34q18 20 18 30a18 18 0 0 1-36 0q0-10 18-30Z'),
  smile: whole + spot(48, 46, 4) + spot(72, 46, 4) + line('M46 60q14 12 28 0'),
  sheet: line('M28 18h64v88H28Z') + line('M46 12h28v14H46Z') + line('M42 48h36M42 66h36M42 84h22'),
  urgent: whole + solid('M66 34L46 66h13l-5 24 22-34H62Z'),
  film: line('M14 14h92v92H14Z') + `<g transform="translate(18 18) scale(.7)">${whole}</g>`,
  wide: line('M6 38q54-30 108 0v44q-54 30-108 0Z') + line('M10 62q50 20 100 0M30 34v50M50 28v62M70 28v62M90 34v50'),
  cube: line('M60 12l44 24v48l-44 24-44-24V36Z') + line('M16 36l44 24 44-24M60 60v48'),
  arch,
  filled: whole + spot(60, 44, 13),
  crown: whole + solid('M22 46q-2-30 22-32 8 0 16 6 8-6 16-6 24 2 22 32-38 14-76 0Z'),
  bridge: line('M4 34h112') + [8, 44, 80].map((x) => line(`M${x} 34h32v26q0 30-16 30t-16-30Z`)).join(''),
  canal: whole + line('M60 36v20M60 56q-12 8-14 36M60 56q12 8 14 36'),
  again: whole + line('M46 52a16 16 0 1 1 4 14') + solid('M40 56l14 2-8 10Z'),
  pull: `<g transform="translate(0 14) scale(1 .86)">${whole}</g>` + line('M60 58V6M44 20L60 4l16 16'),
  implant: line('M38 46q-4-34 22-34t22 34Z') + line('M48 46h24l-4 60H52Z') + line('M46 60h28M48 76h24M50 92h20'),
  graft: whole + [46, 60, 74].map((x) => spot(x, 52, 5)).join('') + spot(53, 40, 5) + spot(67, 40, 5),
  bright: whole + line('M60 0v-8M104 12l6-6M16 12l-6-6M112 52h8M8 52H0') + star(60, 46, 14),
  veneer: whole + line('M40 30q-8 10 0 34'),
  braces:
    line('M8 40q52 30 104 0') +
    [18, 42, 66, 90].map((x, at) => line(`M${x} ${[36, 46, 46, 36][at]}h14v16h-14Z`)).join(''),
  brush: line('M14 92l66-66 12 12-66 66Z') + line('M82 24l14-14 18 18-14 14') + line('M90 16l14 14M84 22l14 14'),
  floss: line('M30 40h60v66H30Z') + line('M42 40V24h36v16') + line('M60 70q30-40 50-10'),
  tube: line('M36 12h48l-6 74H42Z') + line('M50 86h20v20H50Z') + line('M46 40h28'),
  bottle: line('M48 8h24v18H48Z') + line('M48 26q-18 8-18 28v52h60V54q0-20-18-28Z') + line('M30 66h60'),
  disc: '<circle cx="60" cy="60" r="46"/><circle cx="60" cy="60" r="22"/>',
  bag: line('M20 40h80v66H20Z') + line('M42 40V28a18 18 0 0 1 36 0v12') + star(60, 72, 18),
  aligner: arch + line('M18 84h24M78 84h24M22 52l20 10M98 52L78 62M40 30l8 18M80 30L72 48'),
  syringe: line('M46 34h28v46H46Z') + line('M60 80v26M60 34V14M48 14h24M38 34h44') + line('M46 50h12M46 64h12'),
  pill: '<g transform="rotate(45 60 60)"><rect x="40" y="10" width="40" height="100" rx="20"/><path d="M40 60h40"/></g>',
} as const;
export type Drawing = keyof typeof drawings;

export const drawingNames = Object.keys(drawings) as Drawing[];

/** Returns a drawing as SVG. */
export function svgOf(drawing: Drawing, color: string): string {
  const shapes = drawings[drawing].replaceAll('currentColor', color).replaceAll('var(--page)', 'none');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
    <rect width="100%" height="100%" fill="${color}" fill-opacity=".16"/>
    <g transform="translate(76 36) scale(1.4)" fill="${color}" fill-opacity=".22" stroke="${color}" stroke-width="5" stroke-linecap="round" stroke-linejoin="round">${shapes}</g></svg>`;
}
