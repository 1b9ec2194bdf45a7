/** An ordinary test run draws nothing at random and depends on no clock. `tests/support/fixed-run/` fixes both. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { projectRoot } from '#server/project-root.ts';
import { clockOffsetMs, runSeed } from '../support/fixed-run/fixed-run.ts';

/** What is no part of `npm test`, or is about these words. */
const left = /^(bench|failover|screenshots|house)\//;
const texts = readdirSync(path.join(projectRoot, 'tests'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !left.test(file))
  .map((file) => ({ file, lines: readFileSync(path.join(projectRoot, 'tests', file), 'utf8').split('\n') }));

const filesWith = (found: (line: string) => boolean) =>
  texts.filter(({ lines }) => lines.some(found)).map(({ file }) => file);

/** PostgreSQL has the real clock, which the clock of a run does not move. */
const realTime = /(?<![.\w])(now\(\)|current_(timestamp|date)\b|clock_timestamp\(\))/;
const inStatement = /\b(select|insert|update|values|where|set|interval|least|greatest)\b/i;

describe('the tests', () => {
  test('draw by a seed', () => {
    const draws = filesWith((line) =>
      /Math\.random|\brandom(UUID|Bytes|Int)\b|getRandomValues|(?<![\w.])random\(\)/.test(line),
    );
    // It hunts with another seed each time, which it prints. `npm run test:long` names the seed.
    expect(draws).toEqual(['fuzz/main.ts']);
  });

  test('leave the seed of a run to its configuration', () => {
    expect(filesWith((line) => /configureGlobal/.test(line))).toEqual(['support/fixed-run/draws.ts']);
    expect(
      filesWith((line) => /\bTEST_(SEED|CLOCK)\b.*process\.env|process\.env.*\bTEST_(SEED|CLOCK)\b/.test(line)),
    ).toEqual(['support/fixed-run/fixed-run.ts']);
  });

  test('give statements the time of the run', () => {
    // It restores as the product does, whose statement has the time of the database as a mark.
    expect(filesWith((line) => realTime.test(line) && inStatement.test(line))).toEqual([
      'simulation/cluster/backup.ts',
    ]);
  });

  test('format no time that they do not name', () => {
    // Without an argument, a formatter reads the real clock itself.
    expect(filesWith((line) => /\.format(ToParts)?\(\)/.test(line))).toEqual([]);
  });
});

describe('a run', () => {
  const realNowMs = () => performance.timeOrigin + performance.now();

  test('has its seed in each property', () => {
    expect(fc.readConfigureGlobal().seed).toBe(runSeed);
    const drawn: number[] = [];
    for (let time = 0; time < 2; time++) drawn.push(...fc.sample(fc.nat(), 5));
    expect(drawn.slice(0, 5)).toEqual(drawn.slice(5));
  });

  test('has its clock in the tests and in the processes that they start', () => {
    const source = 'console.log(Date.now(), new Date().getTime(), Date.parse(Date()))';
    const printed = execFileSync(process.execPath, ['-e', source], { encoding: 'utf8' });
    for (const atMs of [Date.now(), new Date().getTime(), ...printed.trim().split(' ').map(Number)])
      expect(Math.abs(atMs - realNowMs() - clockOffsetMs())).toBeLessThan(10_000);
  });

  test('has the dates of the platform and its own as one type', () => {
    const [own, cloned] = [new Date(), structuredClone(new Date())];
    class Later extends Date {}
    expect([own instanceof Date, cloned instanceof Date, new Later() instanceof Later]).toEqual([true, true, true]);
    expect(new Date(2027, 1, 3, 4, 5).getMinutes()).toBe(5);
    expect(new Date(0).toISOString()).toBe('1970-01-01T00:00:00.000Z');
    expect(Date.UTC(2027, 0)).toBe(Date.parse('2027-01-01T00:00:00Z'));
    expect(Object.prototype.toString.call(own)).toBe('[object Date]');
    expect(Object.keys(Date)).toEqual([]);
  });
});
