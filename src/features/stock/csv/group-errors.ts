import type { ImportPreview } from '#domain/stock/resources.ts';
import type { Problem } from '#domain/problems.ts';

export interface ErrorGroup {
  column: string | null;
  problem: Problem;
  lines: number[];
}

/** Groups the errors of a file by column and problem, so that 300 rows with the same mistake show as one error. */
export function groupErrors(errors: ImportPreview['errors']): ErrorGroup[] {
  const groups = new Map<string, ErrorGroup>();
  for (const { line, column, problem } of errors) {
    const key = `${problem} ${column}`;
    const group = groups.get(key) ?? { column, problem, lines: [] };
    group.lines.push(line);
    groups.set(key, group);
  }
  return [...groups.values()];
}
