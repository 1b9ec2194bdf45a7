/** Files that the server makes, as they come. */
import { CallFailed, api, faultOf } from './client.ts';

export interface FetchedFile {
  content: Blob;
  /** As the server calls it; empty if it does not. */
  name: string;
}

/** How far a file has come. */
export interface FileProgress {
  bytes: number;
  /** How many rows the server announced; null if it did not. */
  rows: number | null;
}

interface FetchFileOptions {
  signal: AbortSignal;
  /** What the file is asked with; it makes the call a POST. */
  json?: unknown;
  onProgress?: (progress: FileProgress) => void;
}

/** A file that the server makes, as long as that takes. Throws `CallFailed`, or whatever an abort throws. */
export async function fetchFile(path: string, { signal, json, onProgress }: FetchFileOptions): Promise<FetchedFile> {
  try {
    const response = await api(path, {
      method: json === undefined ? 'get' : 'post',
      signal,
      timeout: false,
      ...(json === undefined ? {} : { json }),
    });
    const announced = response.headers.get('x-total-rows');
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    const progress: FileProgress = { bytes: 0, rows: announced === null ? null : Number(announced) };
    onProgress?.(progress);
    for (const reader = response.body!.getReader(); ;) {
      // oxlint-disable-next-line no-await-in-loop -- A stream is read in its order.
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      progress.bytes += value.byteLength;
      onProgress?.({ ...progress });
    }
    const type = response.headers.get('content-type') ?? '';
    return {
      content: new Blob(chunks, { type }),
      name: /filename="?([^";]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? '',
    };
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    throw new CallFailed(await faultOf(thrown));
  }
}
