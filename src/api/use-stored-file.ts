import { useEffect, useState } from 'react';
import { api, faultOf } from './client.ts';
import type { CallFault } from './client.ts';

export interface StoredFile {
  /** Undefined until it has loaded. */
  content: Blob | undefined;
  /** Object URL of the content, revoked when the component unmounts. */
  address: string | undefined;
  fault: CallFault | undefined;
}

const nothing: StoredFile = { content: undefined, address: undefined, fault: undefined };

/**
 * Loads a protected file. The server requires the bearer header, which an `<img>` cannot send, so the file is fetched,
 * and dropped when the component unmounts.
 *
 * @param url `/api/uploads/…`; null loads nothing
 */
export function useStoredFile(url: string | null): StoredFile {
  const [got, setGot] = useState<StoredFile & { url: string }>();
  useEffect(() => {
    if (!url) return;
    const abort = new AbortController();
    let address: string | undefined;
    async function read(from: string) {
      try {
        const content = await api.get(from.replace(/^\/api\//, ''), { signal: abort.signal }).blob();
        if (abort.signal.aborted) return;
        address = URL.createObjectURL(content);
        setGot({ url: from, content, address, fault: undefined });
      } catch (thrown) {
        const fault = await faultOf(thrown);
        if (!abort.signal.aborted) setGot({ ...nothing, url: from, fault });
      }
    }
    void read(url);
    return () => {
      abort.abort();
      if (address) URL.revokeObjectURL(address);
    };
  }, [url]);
  return got?.url === url ? got : nothing;
}
