/** Prints the table of goals, and writes it into the page about performance. */
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { projectRoot } from '#server/project-root.ts';
import { columns, nameOf } from './figures.ts';
import type { Row } from './figures.ts';
import { goals } from './goals.ts';
import type { Goal } from './goals.ts';

const page = path.join(projectRoot, 'docs/performance.md');
const [begin, end] = ['<!-- figures -->', '<!-- end of figures -->'] as const;

export function printTable(rows: readonly Row[]): void {
  const all = [columns, ...rows];
  const widths = columns.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  for (const row of all)
    console.log(
      row
        .map((text, column) => text.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    );
}

/** Replaces the rows of the sections that ran, and keeps the others. @param form how the sections ran */
export async function writeTable(rows: readonly Row[], form: string): Promise<void> {
  const text = await readFile(page, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${page} lacks the markers ${begin} and ${end}.`);
  const known = new Map([...rowsIn(text.slice(from, to)), ...rows].map((row) => [row[0]!, row]));
  // In the order of the goals; the row of a goal that was taken away goes.
  const kept = Object.values<Record<string, Goal>>(goals)
    .flatMap((section) => Object.values(section))
    .map((goal) => known.get(nameOf(goal)))
    .filter((row) => row !== undefined);
  const lines = [columns, columns.map(() => '---'), ...kept].map((row) => `| ${row.join(' | ')} |`);
  const block = [
    begin,
    `Last run: ${new Date().toISOString().slice(0, 10)}, ${form}, ${machine()}.`,
    '',
    ...lines,
    '',
    '',
  ];
  await writeFile(page, text.slice(0, from) + block.join('\n') + text.slice(to));
  console.log(`Written to ${path.relative(projectRoot, page)}.`);
}

function rowsIn(block: string): Row[] {
  const rows = block.split('\n').filter((line) => line.startsWith('| '));
  return rows.slice(2).map((line) => line.slice(2, -2).split(' | '));
}

const machine = (): string =>
  `${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB, Node.js ${process.versions.node}`;
