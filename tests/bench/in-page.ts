/** Calls into the benchmark's own modules in a browser page. */
import type { Page } from '@playwright/test';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import type { StoredRequest } from './pages/rest.ts';

/** The module of a rival: `prepare` stores what is to be sent, `run` sends it. */
interface RivalModule<T> {
  prepare(given: T[]): Promise<void>;
  /** @param target address or database of the server @returns milliseconds */
  run(target: string): Promise<number>;
}

interface Modules {
  counter: typeof import('./pages/counter.ts');
  commit: typeof import('./pages/commit.ts');
  limits: typeof import('./pages/limits.ts');
  rest: typeof import('./pages/rest.ts');
  workbox: Pick<RivalModule<StoredRequest>, 'prepare'> & { run(): Promise<number> };
  rxdb: RivalModule<AnyOperation>;
  pouch: RivalModule<AnyOperation>;
}

type Callable = (...args: never[]) => unknown;
type NamesOf<M> = { [K in keyof M]: M[K] extends Callable ? K : never }[keyof M] & string;
type FunctionOf<M, K extends keyof M> = Extract<M[K], Callable>;

export function callInPage<N extends keyof Modules, K extends NamesOf<Modules[N]>>(
  page: Page,
  module: N,
  name: K,
  ...args: Parameters<FunctionOf<Modules[N], K>>
): Promise<Awaited<ReturnType<FunctionOf<Modules[N], K>>>> {
  return page.evaluate(
    async (call) => {
      const exported = (await import(`/bench/${call.module}.js`)) as Record<string, (...given: unknown[]) => unknown>;
      return exported[call.name]!(...call.args);
    },
    { module, name, args },
  ) as Promise<Awaited<ReturnType<FunctionOf<Modules[N], K>>>>;
}
