import { useEffect, useState } from 'react';
import { api, faultOf } from './client.ts';
import type { CallFault } from './client.ts';

export interface StoredFile {
  /** Undefined until it has come. */
  content: Blob | undefined;
  /** An address of the content that lives as long as whoever asked for it. */
  address: string | undefined;
  fault: CallFault | undefined;
}

const nothing: StoredFile = { content: undefined, address: undefined, fault: undefined };

/**
 * A file that the server keeps and shows only to some. It believes the bearer header alone, so an address in the page could
 * not lead there: the file is fetched, and stays on this device no longer than it is shown.
 *
 * @param url `/api/uploads/…`; null asks for nothing
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
