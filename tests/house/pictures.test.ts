/** The pictures: each is used, is as large as it is said to be, and the ones for shop windows stay off the tablets. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectRoot } from '../../server/project-root.ts';

const read = (file: string) => readFileSync(path.join(projectRoot, file), 'utf8');
const config = read('vite.config.ts');

/** `1280x800`, out of a PNG's first chunk. */
function sizeOf(file: string): string {
  const bytes = readFileSync(path.join(projectRoot, file));
  return `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`;
}

const stated = [...config.matchAll(/src: '\/([^']+\.png)', sizes: '(\d+x\d+)'/g)].map(
  ([, file, size]) => [`public/${file!}`, size!] as const,
);
const files = ['public', 'docs'].flatMap((folder) =>
  readdirSync(path.join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(png|svg|css|js)$/.test(file))
    .map((file) => [folder, file.split(path.sep).join('/')] as const),
);

describe('the pictures', () => {
  test.each(stated)('%s is %s, as the manifest says', (file, size) => {
    expect(sizeOf(file)).toBe(size);
  });

  test('show the app wide and narrow to whoever is about to install it', () => {
    expect([...config.matchAll(/form_factor: '(\w+)'/g)].map(([, form]) => form)).toEqual(['wide', 'narrow']);
  });

  test('are not fetched in advance, but for the icon in the tab', () => {
    expect(/globPatterns: \['\*\*\/\*\.\{([^}]+)\}'\]/.exec(config)![1]!.split(',')).not.toContain('png');
  });

  test.each(files)('%s/%s is used', (folder, file) => {
    const users =
      folder === 'docs'
        ? ['README.md', 'docs/architecture.md']
        : ['index.html', 'vite.config.ts', 'src/printing/print-target.ts'];
    expect(users.some((user) => read(user).includes(file))).toBe(true);
  });
});
