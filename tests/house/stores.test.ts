/** SQL stands in stores, so that a reader finds every query of a module without a search. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectRoot } from '#server/project-root.ts';

const modules = path.join(projectRoot, 'server/modules');
const files = readdirSync(modules, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
const isStore = (file: string) => /(?:^|-)store\.ts$/.test(path.basename(file));
const textOf = (file: string) => readFileSync(path.join(modules, file), 'utf8');

const query = /\b(?:rowsOf|insertInto)\b|\.query\(/;
const statement = /[`'"]\s*\(?(?:select\s|insert into\s|update\s+\w+\s.*\bset\s|delete from\s|with\s+\w+\s+as\s)/;
const transaction = /\binTransaction\b|[`'"](?:begin|commit|rollback)(?:[`'";]| isolation| transaction)/;

/** The names of prepared statements: `rowsOf(sql, 'name', …)` and `{ name: 'name', text: … }`. */
const named = /\browsOf(?:<[^()]*?>)?\(\s*[\w.$]+,\s*'([^']+)'|\bname: '([^']+)',\s*text:/g;
const namesIn = (file: string) => [...textOf(file).matchAll(named)].map(([, first, second]) => first ?? second!);

describe('queries of the server modules', () => {
  test('stand in files named store', () => {
    const stores = files.filter(isStore);
    expect(stores.filter((file) => query.test(textOf(file))).length).toBeGreaterThan(20);
    const others = files.filter((file) => !isStore(file));
    expect(others.filter((file) => query.test(textOf(file)) || statement.test(textOf(file)))).toEqual([]);
  });

  // A connection has one statement under each name, and refuses another.
  test('have a name of their own', () => {
    const names = files.flatMap(namesIn);
    expect(names.length).toBeGreaterThan(200);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test('open no transaction', () => {
    expect(files.filter(isStore).filter((file) => transaction.test(textOf(file)))).toEqual([]);
  });
});
