import { anySignal } from '../db/any-signal.ts';
import { CallFailed, api, faultOf } from './client.ts';
import { streamedReply } from './server-fetch.ts';

/** A server that lays out a long report sends nothing for a while. One that is silent for longer is gone. */
const longestSilenceMs = 300_000;

export interface FetchedFile {
  content: Blob;
  /** File name that the server gives; empty if it gives none. */
  name: string;
}

/** Progress of a download. */
export interface FileProgress {
  bytes: number;
  /** Number of rows that the server announced; null if it announced none. */
  rows: number | null;
}

interface FetchFileOptions {
  signal: AbortSignal;
  /** Body of the request, which is then a POST. */
  json?: unknown;
  onProgress?: (progress: FileProgress) => void;
}

/** Downloads a file that the server generates, however long that takes. Throws `CallFailed`, or the abort error. */
export async function fetchFile(path: string, { signal, json, onProgress }: FetchFileOptions): Promise<FetchedFile> {
  const silence = new AbortController();
  let alarm = setTimeout(() => silence.abort(), longestSilenceMs);
  try {
    const response = await api(path, {
      method: json === undefined ? 'get' : 'post',
      signal: anySignal([signal, silence.signal]),
      timeout: false,
      fetch: streamedReply,
      ...(json === undefined ? {} : { json }),
    });
    const announced = response.headers.get('x-total-rows');
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    const progress: FileProgress = { bytes: 0, rows: announced === null ? null : Number(announced) };
    onProgress?.(progress);
    for (const reader = response.body!.getReader(); ;) {
      // oxlint-disable-next-line no-await-in-loop -- A stream is read in order.
      const { done, value } = await reader.read();
      if (done) break;
      clearTimeout(alarm);
      alarm = setTimeout(() => silence.abort(), longestSilenceMs);
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
  } finally {
    clearTimeout(alarm);
  }
}
