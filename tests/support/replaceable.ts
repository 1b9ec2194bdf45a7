/** Lets a test replace single functions of a module. This file imports nothing, because it loads while the mocked modules load. */

/** Replaces a function, whose type each replacement knows. */
export type Replacement = (real: (...args: any[]) => any, ...args: any[]) => unknown;

/** Wraps every function of a module, so that an entry in `replacements` takes its place. */
export function replaceable<T extends object>(replacements: Record<string, Replacement>, real: T): T {
  const wrap = (name: string, value: unknown) => {
    if (typeof value !== 'function' || /^class\b/.test(String(value))) return value;
    const original = value as (...args: any[]) => any;
    return (...args: unknown[]) =>
      replacements[name] ? replacements[name](original, ...args) : (original(...args) as unknown);
  };
  return Object.fromEntries(Object.entries(real).map(([name, value]) => [name, wrap(name, value)])) as T;
}
