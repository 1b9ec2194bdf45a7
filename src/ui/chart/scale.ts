/** Where the lines of a chart's axis stand, from the lowest to the highest; zero is always one of them. */
export interface Scale {
  ticks: readonly number[];
  /** How high a value stands between the lowest and the highest line, from 0 to 1. */
  heightOf: (value: number) => number;
}

const roundSteps = [1, 2, 2.5, 5, 10];

/** The smallest round step that parts a span into at most so many. */
function roundStep(span: number, parts: number, smallest: number): number {
  const rough = Math.max(span / parts, smallest);
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  // The tolerance keeps 0.30000000000000004 from being taken for more than 0.3.
  const factor = roundSteps.find((each) => each * magnitude >= rough * (1 - 1e-9))!;
  return Math.max(factor * magnitude, smallest);
}

/**
 * An axis in round numbers that holds all values.
 *
 * @param smallest no two lines are closer than this, in the unit of the values
 * @param parts about how many spaces there are between the lines
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

/** Every which column of a chart has room for its name below it. */
export const nameEvery = (columns: number, most = 8): number => Math.max(1, Math.ceil(columns / most));
