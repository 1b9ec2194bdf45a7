/** Reads all files of a browser's profile, as somebody does who has copied the disk. */
import { createDecipheriv, pbkdf2Sync } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** What to look for: bytes, in every form in which they may be written, or a text. */
export type Secret = { bytes: Buffer } | { text: string };

function formsOf(secret: Secret): Buffer[] {
  const texts =
    'text' in secret
      ? [secret.text]
      : (['base64url', 'base64', 'hex'] as const).map((form) => secret.bytes.toString(form).replace(/=+$/, ''));
  const written = texts.flatMap((text) => [Buffer.from(text), Buffer.from(text, 'utf16le')]);
  return 'bytes' in secret ? [secret.bytes, ...written] : written;
}

const filesOf = (profile: string): string[] =>
  readdirSync(profile, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));

/** Returns an empty buffer for a file that is gone meanwhile. */
function contentOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
}

/** Returns the secrets that files of a profile contain, each as `name: file`. */
export function filesWith(profile: string, secrets: ReadonlyMap<string, Secret>): string[] {
  const wanted = [...secrets].map(([name, secret]) => [name, formsOf(secret)] as const);
  return filesOf(profile).flatMap((file) => {
    const content = contentOf(file);
    return wanted
      .filter(([, forms]) => forms.some((form) => content.includes(form)))
      .map(([name]) => `${name}: ${path.relative(profile, file)}`);
  });
}

// Without a keyring Chromium encrypts cookies on Linux by a key that is part of its source.
// Source: https://source.chromium.org/chromium/chromium/src/+/main:components/os_crypt/sync/os_crypt_linux.cc
const cookieKey = pbkdf2Sync('peanuts', 'saltysalt', 1, 16, 'sha1');
const cookieMark = 'v10';
const [blockBytes, longestCookie] = [16, 4096];

/** Returns the text of all cookies in a profile, deleted ones included, whose bytes are still there. */
export function cookiesIn(profile: string): string {
  return filesOf(profile)
    .filter((file) => path.basename(file).startsWith('Cookies'))
    .map((file) => decrypted(contentOf(file)))
    .join('\n');
}

/** Decrypts whatever follows a mark. The length of a value stands elsewhere, so all of them are tried. */
function decrypted(content: Buffer): string {
  const found: string[] = [];
  for (let at = content.indexOf(cookieMark); at >= 0; at = content.indexOf(cookieMark, at + 1)) {
    const from = at + cookieMark.length;
    for (let length = blockBytes; length <= longestCookie && from + length <= content.length; length += blockBytes) {
      const decipher = createDecipheriv('aes-128-cbc', cookieKey, Buffer.alloc(blockBytes, ' '));
      try {
        found.push(
          Buffer.concat([decipher.update(content.subarray(from, from + length)), decipher.final()]).toString('latin1'),
        );
      } catch {
        // Not the end of a value.
      }
    }
  }
  return found.join('\n');
}
