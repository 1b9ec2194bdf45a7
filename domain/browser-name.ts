/** Names a browser and its machine by the header `User-Agent`, for people who look for a device: `Safari, iPad`. */

const browsers = [
  ['Edge', /\b(EdgA?|EdgiOS)\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /(Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
] as const;

const machines = [
  ['iPad', /\biPad\b/],
  ['iPhone', /\biPhone\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  // An iPad says that it is a Mac, unless it is asked for mobile pages.
  ['Mac, iPad', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
] as const;

/** Returns the first name whose pattern the text has. */
const nameIn = (text: string, names: readonly (readonly [name: string, pattern: RegExp])[]): string =>
  names.find(([, pattern]) => pattern.test(text))?.[0] ?? '';

/** Returns an empty text for a program that is no browser. */
export const browserName = (userAgent: string): string =>
  [nameIn(userAgent, browsers), nameIn(userAgent, machines)].filter(Boolean).join(' · ');
