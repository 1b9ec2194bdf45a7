/** Pictures and other static files: their stated sizes, their use, and their exclusion from the precache. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectRoot } from '#server/project-root.ts';

const read = (file: string) => readFileSync(path.join(projectRoot, file), 'utf8');
const config = read('scripts/build/web-app.ts');

/** Reads the size of a PNG from its first chunk, such as `1280x800`. */
function sizeOf(file: string): string {
  const bytes = readFileSync(path.join(projectRoot, file));
  return `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`;
}

const stated = [...config.matchAll(/src: '\/([^']+\.png)',\s+sizes: '(\d+x\d+)'/g)].map(
  ([, file, size]) => [`public/${file!}`, size!] as const,
);
const files = ['public', 'docs'].flatMap((folder) =>
  readdirSync(path.join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(png|svg|css|js)$/.test(file))
    .map((file) => [folder, file.split(path.sep).join('/')] as const),
);

describe('the static files', () => {
  test.each(stated)('%s has the size %s of the manifest', (file, size) => {
    expect(sizeOf(file)).toBe(size);
  });

  test('include a wide and a narrow screenshot for the install dialog', () => {
    expect([...config.matchAll(/form_factor: '(\w+)'/g)].map(([, form]) => form)).toEqual(['wide', 'narrow']);
  });

  test('exclude PNG files from the precache', () => {
    expect(/globPatterns: \['\*\*\/\*\.\{([^}]+)\}'\]/.exec(config)![1]!.split(',')).not.toContain('png');
  });

  test.each(files)('%s/%s is used', (folder, file) => {
    const users =
      folder === 'docs'
        ? ['README.md', 'docs/architecture.md']
        : ['index.html', 'scripts/build/web-app.ts', 'src/printing/print-target.ts'];
    expect(users.some((user) => read(user).includes(file))).toBe(true);
  });
});
