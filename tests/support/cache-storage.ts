import { vi } from 'vitest';

/** Installs a Cache Storage for tests without a browser. @returns the texts of its entries, by cache and address */
export function stubCacheStorage(): Map<string, string> {
  const entries = new Map<string, string>();
  const nameOf = (cacheName: string, address: string) => `${cacheName} ${address}`;
  vi.stubGlobal('caches', {
    open: async (cacheName: string) => ({
      put: async (address: string, response: Response) =>
        void entries.set(nameOf(cacheName, address), await response.text()),
      delete: async (address: string) => entries.delete(nameOf(cacheName, address)),
    }),
    match: async (address: string, { cacheName }: { cacheName: string }) => {
      const text = entries.get(nameOf(cacheName, address));
      return text === undefined ? undefined : new Response(text);
    },
  });
  return entries;
}
