/** Modules whose functions a test can replace one by one. This file imports nothing, because it is loaded while they are. */

/** Any function; each replacement knows which one it stands for. */
export type Replacement = (real: (...args: any[]) => any, ...args: any[]) => unknown;

/** Wraps every function of a module, so that a mistake can stand in for one of them. */
export function replaceable<T extends object>(replacements: Record<string, Replacement>, real: T): T {
  const wrap = (name: string, value: unknown) => {
    if (typeof value !== 'function' || /^class\b/.test(String(value))) return value;
    const original = value as (...args: any[]) => any;
    return (...args: unknown[]) =>
      replacements[name] ? replacements[name](original, ...args) : (original(...args) as unknown);
  };
  return Object.fromEntries(Object.entries(real).map(([name, value]) => [name, wrap(name, value)])) as T;
}
