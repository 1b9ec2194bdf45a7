/** QR codes on paper. The module is loaded with the first document that has one. */
import { encode } from 'uqr';

/** White around the code, in modules. */
const margin = 4;
const leastSymbolMm = 30;
/** One dot of a receipt printer (203 dots per inch). */
const dotMm = 25.4 / 203;

export interface QrShape {
  /** Of the code with its margin, in modules. */
  size: number;
  /** Of the same, on paper. */
  sizeMm: number;
  /** The dark modules as the path of an SVG image, one module being a unit. */
  path: string;
}

/**
 * Returns the shape of a QR code with error correction M. A module is a whole number of a printer's dots, the fewest that
 * make the code without its margin 30 mm wide, the least that Spanish law allows; it allows 40 mm.
 */
export function qrShape(text: string): QrShape {
  const { data, size } = encode(text, { ecc: 'M', border: 0 });
  const moduleMm = Math.ceil(leastSymbolMm / (size * dotMm)) * dotMm;
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x + margin} ${y + margin}h1v1h-1z` : '')))
    .join('');
  const whole = size + 2 * margin;
  return { size: whole, sizeMm: whole * moduleMm, path };
}

const svg = 'http://www.w3.org/2000/svg';

/** Returns the QR code of a text as an image of its size on paper. */
export function qrImage(document: Document, text: string): SVGElement {
  const { size, sizeMm, path } = qrShape(text);
  const image = document.createElementNS(svg, 'svg');
  const attributes = {
    class: 'paper-qr',
    role: 'img',
    'aria-label': 'QR',
    viewBox: `0 0 ${size} ${size}`,
    width: `${sizeMm}mm`,
    height: `${sizeMm}mm`,
    'shape-rendering': 'crispEdges',
  };
  for (const [name, value] of Object.entries(attributes)) image.setAttribute(name, value);
  const dark = document.createElementNS(svg, 'path');
  dark.setAttribute('d', path);
  image.append(dark);
  return image;
}
