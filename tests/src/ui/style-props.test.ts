import { defaultBaseConfig } from '@chakra-ui/react';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { styleProps } from '../../../src/ui/style-props.ts';

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
});
