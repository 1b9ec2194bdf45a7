import type { EngineName } from './drivers/browser.ts';

export interface Result {
  engine: EngineName;
  flow: string;
  /** Null if the flow passed. */
  fault: string | null;
  remark: string;
  seconds: number;
}

/** Prints one line per flow, with a column per engine. */
export function printTable(results: readonly Result[]): void {
  const engines = [...new Set(results.map(({ engine }) => engine))];
  const flows = [...new Set(results.map(({ flow }) => flow))];
  const width = Math.max(...flows.map(({ length }) => length));
  const line = (first: string, cells: string[]) => console.log([first.padEnd(width), ...cells].join('  ').trimEnd());
  console.log('');
  line(
    '',
    engines.map((engine) => engine.padEnd(14)),
  );
  for (const flow of flows) {
    const own = engines.map((engine) => results.find((each) => each.engine === engine && each.flow === flow));
    const cells = own.map((each) =>
      each ? `${each.fault === null ? 'ok' : 'FAILED'} ${each.seconds.toFixed(0).padStart(4)} s` : '',
    );
    line(
      flow,
      cells
        .map((cell) => cell.padEnd(14))
        .concat(own.flatMap((each) => (each?.remark ? [`${each.engine}: ${each.remark}`] : []))),
    );
  }
}
