/** Validates XML against the tax agency's schemas with xmllint, without a network. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '#server/project-root.ts';

const schemas = join(projectRoot, 'tests/support/verifactu');

/** Returns what xmllint objects to in the documents; all are read by one process. */
export async function schemaErrors(
  schema: 'SuministroLR.xsd' | 'RespuestaSuministro.xsd',
  documents: readonly string[],
): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'dental-counter-xml-'));
  try {
    const files = documents.map((_, index) => join(folder, `${index}.xml`));
    await Promise.all(documents.map((document, index) => writeFile(files[index]!, document)));
    const { failed, errors } = await runXmllint(['--nonet', '--noout', '--schema', join(schemas, schema), ...files]);
    return failed ? errors.split('\n').filter((line) => line !== '' && !line.endsWith(' validates')) : [];
  } finally {
    await rm(folder, { recursive: true });
  }
}

const runXmllint = (args: readonly string[]) =>
  new Promise<{ failed: boolean; errors: string }>((resolve, reject) => {
    execFile('xmllint', args, { maxBuffer: 64 * 1024 * 1024 }, (error, _stdout, stderr) => {
      if (error?.code === 'ENOENT')
        reject(new Error('No xmllint was found. Install it (Debian: apt-get install libxml2-utils).'));
      else resolve({ failed: error !== null, errors: stderr });
    });
  });
