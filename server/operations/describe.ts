/** The number on an operation's document and its money, by which people recognise it. */
export interface Description {
  number?: string;
  amount?: number;
}

/**
 * Returns the first text that fits a document's number and the first finite amount. The payload may be malformed, so no
 * value is trusted.
 */
export function describedBy(numbers: readonly unknown[], amounts: readonly unknown[]): Description {
  const number = numbers.find((text) => typeof text === 'string' && text.length <= 40);
  const amount = amounts.find((value) => typeof value === 'number' && Number.isFinite(value));
  return {
    ...(number !== undefined && { number: number as string }),
    ...(amount !== undefined && { amount: amount as number }),
  };
}
