/**
 * SHA-256 (FIPS 180-4) and HMAC-SHA256 (RFC 2104) as synchronous functions. A command signs its operations inside an
 * IndexedDB transaction, which would end while it waited for the browser's own asynchronous functions.
 */
const blockBytes = 64;

const roundConstants = Uint32Array.from(
  (
    '428a2f98 71374491 b5c0fbcf e9b5dba5 3956c25b 59f111f1 923f82a4 ab1c5ed5 d807aa98 12835b01 243185be 550c7dc3 ' +
    '72be5d74 80deb1fe 9bdc06a7 c19bf174 e49b69c1 efbe4786 0fc19dc6 240ca1cc 2de92c6f 4a7484aa 5cb0a9dc 76f988da ' +
    '983e5152 a831c66d b00327c8 bf597fc7 c6e00bf3 d5a79147 06ca6351 14292967 27b70a85 2e1b2138 4d2c6dfc 53380d13 ' +
    '650a7354 766a0abb 81c2c92e 92722c85 a2bfe8a1 a81a664b c24b8b70 c76c51a3 d192e819 d6990624 f40e3585 106aa070 ' +
    '19a4c116 1e376c08 2748774c 34b0bcb5 391c0cb3 4ed8aa4a 5b9cca4f 682e6ff3 748f82ee 78a5636f 84c87814 8cc70208 ' +
    '90befffa a4506ceb bef9a3f7 c67178f2'
  )
    .split(' ')
    .map((word) => Number.parseInt(word, 16)),
);

const initialState = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];

const rotated = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** Mixes one block of 64 bytes into the state. */
function compress(state: Uint32Array, view: DataView, at: number, schedule: Uint32Array): void {
  for (let index = 0; index < 16; index += 1) schedule[index] = view.getUint32(at + index * 4);
  for (let index = 16; index < 64; index += 1) {
    const early = schedule[index - 15]!;
    const late = schedule[index - 2]!;
    const low = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3);
    const high = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10);
    schedule[index] = schedule[index - 16]! + low + schedule[index - 7]! + high;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let index = 0; index < 64; index += 1) {
    const sumE = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const choice = (e & f) ^ (~e & g);
    const first = (h + sumE + choice + roundConstants[index]! + schedule[index]!) | 0;
    const sumA = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    [h, g, f, e] = [g, f, e, (d + first) | 0];
    [d, c, b, a] = [c, b, a, (first + sumA + majority) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => (state[index] = state[index]! + word));
}

/** @param prefix a first block of 64 bytes before the message, or nothing */
function digest(message: Uint8Array, prefix?: Uint8Array): Uint8Array<ArrayBuffer> {
  const state = Uint32Array.from(initialState);
  const schedule = new Uint32Array(64);
  if (prefix) compress(state, new DataView(prefix.buffer, prefix.byteOffset), 0, schedule);
  // The message ends with a 1 bit, zeros, and its length in bits, which fill the last block.
  const padded = new Uint8Array(Math.ceil((message.length + 9) / blockBytes) * blockBytes);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  const bits = (message.length + (prefix ? blockBytes : 0)) * 8;
  view.setUint32(padded.length - 8, Math.floor(bits / 2 ** 32));
  view.setUint32(padded.length - 4, bits >>> 0);
  for (let at = 0; at < padded.length; at += blockBytes) compress(state, view, at, schedule);
  const result = new DataView(new ArrayBuffer(32));
  state.forEach((word, index) => result.setUint32(index * 4, word));
  return new Uint8Array(result.buffer);
}

export const sha256 = (message: Uint8Array): Uint8Array<ArrayBuffer> => digest(message);

/** @param key at most 64 bytes */
export function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = (mask: number) => Uint8Array.from({ length: blockBytes }, (_, index) => (key[index] ?? 0) ^ mask);
  return digest(digest(message, padded(0x36)), padded(0x5c));
}
