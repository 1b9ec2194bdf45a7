/**
 * SHA-256 (FIPS 180-4) and HMAC-SHA256 (RFC 2104) as synchronous functions. A command signs its operations inside an
 * IndexedDB transaction, which would end while it waited for the browser's own asynchronous functions.
 */
const blockBytes = 64;

/**
 * Returns the first 32 bits of the fractional part of a root: FIPS 180-4 defines its constants so. All 72 lie at least
 * 5e-12 from the next value, and a root is exact to 1e-15.
 */
const fraction = (root: number): number => ((root % 1) * 2 ** 32) | 0;

const primes: number[] = [];
for (let candidate = 2; primes.length < 64; candidate += 1)
  if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);

const roundConstants = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));
const initialState = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));

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
  // Eight variables, because lists of them cost a till's first sales of a day 25 ms each until the engine has optimised this loop.
  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let d = state[3]!;
  let e = state[4]!;
  let f = state[5]!;
  let g = state[6]!;
  let h = state[7]!;
  for (let index = 0; index < 64; index += 1) {
    const sumE = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const choice = (e & f) ^ (~e & g);
    const first = (h + sumE + choice + roundConstants[index]! + schedule[index]!) | 0;
    const sumA = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + sumA + majority) | 0;
  }
  state[0]! += a;
  state[1]! += b;
  state[2]! += c;
  state[3]! += d;
  state[4]! += e;
  state[5]! += f;
  state[6]! += g;
  state[7]! += h;
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

const encoder = new TextEncoder();

/** Returns the SHA-256 of a text's UTF-8 in upper-case hexadecimal. */
export const sha256Text = (text: string): string =>
  Array.from(sha256(encoder.encode(text)), (byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();

/** @param key at most 64 bytes */
export function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = (mask: number) => Uint8Array.from({ length: blockBytes }, (_, index) => (key[index] ?? 0) ^ mask);
  return digest(digest(message, padded(0x36)), padded(0x5c));
}
