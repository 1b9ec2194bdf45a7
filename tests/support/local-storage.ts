import { vi } from 'vitest';

/** Installs a `localStorage` for tests without a browser. @returns its entries */
export function stubLocalStorage(): Map<string, string> {
  const storage = new Map<string, string>();
  const localStorage = {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => void storage.set(key, value),
    removeItem: (key: string) => void storage.delete(key),
  };
  vi.stubGlobal('window', { localStorage });
  vi.stubGlobal('localStorage', localStorage);
  return storage;
}
