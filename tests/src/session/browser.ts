import { vi } from 'vitest';
import { stubCacheStorage } from '#tests/support/cache-storage.ts';
import { stubLocalStorage } from '#tests/support/local-storage.ts';

/** A page's cookie, storage, cached files and events, fresh for one test. */
export function stubBrowser() {
  const jar = new Map<string, string>();
  const window = new EventTarget();
  const document = Object.defineProperty(new EventTarget(), 'cookie', {
    configurable: true,
    get: () => [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
    set: (text: string) => {
      const [pair = '', ...attributes] = text.split('; ');
      const [name = '', value = ''] = pair.split('=');
      if (attributes.includes('Max-Age=0')) jar.delete(name);
      else jar.set(name, value);
    },
  });
  vi.stubGlobal('document', document);
  vi.stubGlobal('location', { protocol: 'https:' });
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window));
  const storage = stubLocalStorage();
  return { window, document, storage, files: stubCacheStorage() };
}
