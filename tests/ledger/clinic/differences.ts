/** Returns the names of the parts that differ, with what they are and what they should be. */
export function differences(what: string, actual: object, expected: object): string[] {
  return Object.entries(expected).flatMap(([part, should]) => {
    const [is, text] = [JSON.stringify((actual as Record<string, unknown>)[part]), JSON.stringify(should)];
    return is === text ? [] : `${part} of ${what} is ${is}, expected ${text}`;
  });
}

export const sorted = <T>(values: readonly T[]): T[] =>
  values.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
