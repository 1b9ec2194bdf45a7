import { Readable } from 'node:stream';

/**
 * Streams what a generator yields, which goes on when the reader has taken the last piece. A stream of objects would hold
 * sixteen pieces, however large they are.
 */
export const streamed = (pieces: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>): Readable =>
  Readable.from(pieces, { objectMode: false, highWaterMark: 1 });
