import { defaultBaseConfig } from '@chakra-ui/react';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { styleProps } from '#src/ui/style-props.ts';
import { system } from '#src/ui/theme.ts';

const source = path.resolve(import.meta.dirname, '../../../src');
const text = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx$|^ui\/.*\.ts$/.test(file) && !file.endsWith('style-props.ts'))
  .map((file) => readFileSync(path.join(source, file), 'utf8'))
  .join('\n');

type Utilities = Record<string, { shorthand?: string | string[]; values?: unknown; transform?: unknown }>;
const namesOf = (utilities: Utilities) =>
  Object.entries(utilities).flatMap(([name, { shorthand = [] }]) => [
    name,
    ...(Array.isArray(shorthand) ? shorthand : [shorthand]),
  ]);

/** Chakra's props that mean more than the CSS property of the same name: a token, a short name or several declarations. */
const meaningful = Object.fromEntries(
  Object.entries(defaultBaseConfig.utilities as Utilities).filter(
    ([, { shorthand, values, transform }]) => shorthand ?? values ?? transform,
  ),
);

/** These are CSS as they stand here: no token of ours and no short name is used with them. */
const plain = new Set([
  'opacity',
  'flexDirection',
  'overscrollBehavior',
  'position',
  'textDecoration',
  'transform',
  'rotate',
  'translate',
  'transition',
  'cursor',
  'scrollbarWidth',
]);

describe('the list of style props', () => {
  test('contains every style prop of Chakra that the app uses', () => {
    const known = new Set(namesOf(styleProps.utilities as Utilities));
    // With a value, or alone as a switch at the end of a line or a tag.
    const used = namesOf(meaningful).filter((name) => new RegExp(`\\s${name}(=["{]|\\s*(\\n|/?>))`).test(text));
    // Attributes and props of our own that are called like a style prop.
    const others = new Set(['ring', 'contrast', 'size', 'filter', 'animation']);
    expect(used.filter((name) => !known.has(name) && !plain.has(name) && !others.has(name))).toEqual([]);
    expect(used.length).toBeGreaterThan(30);
  });

  test('contains every condition that the app uses', () => {
    const used = [...text.matchAll(/\s_([a-zA-Z]+)(?:=\{|: \{)/g)].map(([, name]) => name!);
    const known = Object.keys(styleProps.conditions ?? {});
    expect(
      [...new Set(used)].filter((name) => !known.includes(name) && name in (defaultBaseConfig.conditions ?? {})),
    ).toEqual([]);
  });

  // A browser ignores a length without a unit, and a name that is no value of its property.
  test('has no value that is no token of the theme', () => {
    const categories = { spacing: /^-?[\d.]+$/, sizes: /^-?[\d.]+$/, fontSizes: /^[a-z]+$/, lineHeights: /^[a-z]+$/ };
    const missing = Object.entries(styleProps.utilities as Utilities).flatMap(([name, { values, shorthand = [] }]) => {
      const form = categories[values as keyof typeof categories];
      if (!form) return [];
      const names = [name, ...(Array.isArray(shorthand) ? shorthand : [shorthand])].join('|');
      const props = text.matchAll(new RegExp(`\\s(?:${names})(?:="([^"]*)"|(?:=\\{|: )(\\{[^}]*\\}|'[^']*'))`, 'g'));
      const used = [...props].flatMap(([, plainValue, other = '']) =>
        plainValue === undefined ? [...other.matchAll(/'([^']*)'/g)].map(([, each]) => each!) : plainValue,
      );
      return used
        .filter((each) => form.test(each) && each !== 'inherit')
        .filter((each) => !system.tokens.getByName(`${values as string}.${each.replace('-', '')}`))
        .map((each) => `${name}: ${each}`);
    });
    expect(missing).toEqual([]);
  });
});
