/**
 * Reads how often a PKCS#12 file has its passphrase hashed (RFC 7292, RFC 8018), without opening it. The file states the
 * number, so a file of some hundred bytes can ask for hours.
 */

/** Files of the Spanish authorities have some thousands; more than this takes a server over a quarter of a second. */
export const maxRounds = 1_000_000;

const sequence = 0x30;
const octetString = 0x04;
const integer = 0x02;
const isConstructed = (tag: number): boolean => (tag & 0x20) !== 0;

/** Deeper than any real file; the walk is recursive. */
const maxDepth = 24;

interface Element {
  tag: number;
  content: Buffer;
}

/** Returns the DER elements of some bytes; null where they are none. */
function elementsOf(bytes: Buffer): Element[] | null {
  const elements: Element[] = [];
  for (let at = 0; at < bytes.length;) {
    const tag = bytes[at]!;
    const short = bytes[at + 1];
    if (short === undefined || (tag & 0x1f) === 0x1f) return null;
    const lengthBytes = short < 0x80 ? 0 : short & 0x7f;
    if (short === 0x80 || lengthBytes > 4 || at + 2 + lengthBytes > bytes.length) return null;
    const length = lengthBytes === 0 ? short : bytes.readUIntBE(at + 2, lengthBytes);
    const start = at + 2 + lengthBytes;
    if (start + length > bytes.length) return null;
    elements.push({ tag, content: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return elements;
}

const numberOf = (content: Buffer): number =>
  content.length > 6 ? Number.MAX_SAFE_INTEGER : content.length === 0 ? 0 : content.readUIntBE(0, content.length);

/**
 * Returns the sum of all rounds that can be read without the passphrase: in each of the standards' structures they follow
 * the salt.
 */
export function roundsOf(pkcs12: Buffer, depth = 0): number {
  if (depth > maxDepth) return Number.MAX_SAFE_INTEGER;
  const elements = elementsOf(pkcs12) ?? [];
  let rounds = 0;
  elements.forEach(({ tag, content }, index) => {
    if (tag === integer && elements[index - 1]?.tag === octetString) rounds += numberOf(content);
    // Octet strings may contain further structures.
    if (tag === sequence || tag === octetString || isConstructed(tag)) rounds += roundsOf(content, depth + 1);
  });
  return Math.min(rounds, Number.MAX_SAFE_INTEGER);
}
