/** The figures that a section returns, and their place in the table of goals. */
import type { Goal } from './goals.ts';
import { summarise } from './statistics.ts';

/** How a section runs. */
export interface Form {
  /** Fewer rounds and samples, for use beside development. */
  short: boolean;
}

export interface Losses {
  lost: number;
  doubled: number;
}

export interface Figure {
  goal: Goal;
  /** All measured values, in the goal's unit. */
  values: readonly number[];
  /** By round: the figure divided by what the goal compares it with, measured by turns. */
  ratios?: readonly number[];
  /** Milliseconds of CPU that the page's main thread spent on each value. */
  cpuMs?: readonly number[];
  losses?: Losses;
  /** Names the slowest of several, or an exception. */
  note?: string;
}

/** The texts of a row, in the order of `columns`. */
export type Row = string[];

export const columns = [
  'measured',
  'goal',
  'ours',
  'median',
  'worst',
  'ratio',
  'CPU of the page',
  'lost, doubled',
  'met',
];

export function rowOf({ goal, values, ratios, cpuMs, losses, note }: Figure): Row {
  const { median, worst, found } = statisticsOf(goal, values);
  const ratio = ratios && `${rounded(summarise(ratios).median)} of ${goal.comparedWith}`;
  return [
    nameOf(goal),
    limitOf(goal),
    note ? `${withUnit(found, goal)} (${note})` : withUnit(found, goal),
    withUnit(median, goal),
    withUnit(worst, goal),
    ratio ?? '',
    cpuMs ? `${rounded(summarise(cpuMs).median)} ms` : '',
    losses ? `${losses.lost}, ${losses.doubled}` : '',
    verdictOf(goal, found, losses),
  ];
}

/** Returns the row of a goal without a figure. */
export const missingRow = (goal: Goal, reason: string): Row => [
  nameOf(goal),
  limitOf(goal),
  `not measured: ${reason}`,
  ...columns.slice(4).map(() => ''),
  'no',
];

function statisticsOf(goal: Goal, values: readonly number[]): { median: number; worst: number; found: number } {
  // The worst of what should be large is the smallest.
  const growing = goal.atLeast === undefined && goal.unit !== 'sales/s';
  const summary = summarise(values);
  const worst = growing ? summary.worst : Math.min(...values);
  return { median: summary.median, worst, found: goal.of === 'worst' ? worst : summary[goal.of] };
}

function verdictOf({ below, atMost, atLeast }: Goal, found: number, losses?: Losses): string {
  if (losses && (losses.lost > 0 || losses.doubled > 0)) return 'no';
  if (below !== undefined) return found < below ? 'yes' : 'no';
  if (atMost !== undefined) return found <= atMost ? 'yes' : 'no';
  if (atLeast !== undefined) return found >= atLeast ? 'yes' : 'no';
  return '';
}

export const nameOf = ({ what, of }: Goal): string => (of.startsWith('p') ? `${what}, ${of}` : what);

function limitOf(goal: Goal): string {
  const { below, atMost, atLeast } = goal;
  if (below !== undefined) return `< ${withUnit(below, goal)}`;
  if (atMost !== undefined) return `≤ ${withUnit(atMost, goal)}`;
  return atLeast === undefined ? '' : `≥ ${withUnit(atLeast, goal)}`;
}

const withUnit = (value: number, { unit }: Goal): string =>
  unit === '×' ? `${rounded(value)}×` : `${rounded(value)} ${unit}`.trim();

/** Three significant digits; whole numbers from 100 on. */
function rounded(value: number): string {
  if (Math.abs(value) >= 100) return value.toFixed(0);
  return String(Number(value.toPrecision(value !== 0 && Math.abs(value) < 0.1 ? 1 : 3)));
}
