/** Carries functions into a page, which has no modules of the tests. */

type PageFunction = (...args: never[]) => unknown;

/** tsx wraps named functions in a helper that pages lack. */
const wrapper = 'const __name = (named) => named;';

export interface PageFunctions<T extends Record<string, PageFunction>> {
  /** Returns an expression that calls one of the functions, which may call the others. Arguments travel as JSON. */
  call<K extends keyof T & string>(name: K, ...args: Parameters<T[K]>): string;
}

export function functionsOf<T extends Record<string, PageFunction>>(functions: T): PageFunctions<T> {
  const source = Object.values(functions).map(String).join('\n');
  return { call: (name, ...args) => `(() => { ${wrapper} ${source}; return ${name}(${listed(args)}); })()` };
}

/** Returns an expression that calls a function which needs nothing but its arguments. */
export const callOf = (work: PageFunction, args: readonly unknown[]): string =>
  `(() => { ${wrapper} return (${String(work)})(${listed(args)}); })()`;

const listed = (args: readonly unknown[]): string => args.map((arg) => JSON.stringify(arg) ?? 'undefined').join(', ');
