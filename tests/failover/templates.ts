/** The files of `docs/operating/cluster/`, filled with the values of this run, so that the test proves the files that operators use. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { projectRoot } from '#server/project-root.ts';

const folder = path.join(projectRoot, 'docs/operating/cluster');
const read = (file: string) => readFile(path.join(folder, file), 'utf8');

export type Values = Readonly<Record<string, string>>;

/** Asserts that the values are those which `cluster.env` explains. */
export async function assertDocumented(values: Values): Promise<void> {
  const documented = [...(await read('cluster.env')).matchAll(/^([A-Z0-9_]+)=/gm)].map(([, name]) => name!);
  const unlike = [
    ...documented.filter((name) => !(name in values)),
    ...Object.keys(values).filter((name) => !documented.includes(name)),
  ];
  if (unlike.length > 0) throw new Error(`cluster.env and the test differ: ${unlike.join()}`);
}

/** Replaces each `${NAME}` of a file, as `envsubst` does. @throws on a name without a value */
export async function fill(file: string, values: Values): Promise<string> {
  return (await read(file)).replaceAll(/\$\{([A-Z0-9_]+)\}/g, (_, name: string) => {
    const value = values[name];
    if (!value) throw new Error(`${file} names ${name}, which has no value.`);
    return value;
  });
}
