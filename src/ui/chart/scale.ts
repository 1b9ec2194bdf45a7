export interface Scale {
  /** Values of the grid lines, in ascending order; zero is always one of them. */
  ticks: readonly number[];
  /** Returns the height of a value between the lowest and the highest grid line, from 0 to 1. */
  heightOf: (value: number) => number;
}

const roundSteps = [1, 2, 2.5, 5, 10];

/** Returns the smallest round step that divides a span into at most `parts` parts. */
function roundStep(span: number, parts: number, smallest: number): number {
  const rough = Math.max(span / parts, smallest);
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  // Without the tolerance, a rounding error such as 0.30000000000000004 would count as more than 0.3.
  const factor = roundSteps.find((each) => each * magnitude >= rough * (1 - 1e-9))!;
  return Math.max(factor * magnitude, smallest);
}

/**
 * Returns an axis with round numbers that includes all values.
 *
 * @param smallest the smallest distance between two grid lines, in the unit of the values
 * @param parts the approximate number of spaces between grid lines
 */
export function scaleOf(
  values: readonly number[],
  { smallest, parts = 4 }: { smallest: number; parts?: number },
): Scale {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const step = roundStep(high - low, parts, smallest);
  const [first, last] = [Math.floor(low / step), Math.max(Math.ceil(high / step), Math.floor(low / step) + 1)];
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
  return { ticks, heightOf: (value) => (value / step - first) / (last - first) };
}

/** Returns the interval of labelled columns, so that at most `most` labels stand below the chart. */
export const labelInterval = (columns: number, most = 8): number => Math.max(1, Math.ceil(columns / most));
