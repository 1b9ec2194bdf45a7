/** What is done to an installation from the command line, whether its server runs or not. */
import path from 'node:path';
import { readConfig } from './config.ts';
import { restoreBackup } from './db/backup/restore.ts';
import { takeBackup } from './db/backup/take.ts';
import { withDatabase } from './db/reach.ts';

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** npm changes the folder; a file is meant from where the command was given. */
const fileNamed = (name: string): string => path.resolve(process.env['INIT_CWD'] ?? process.cwd(), name);

interface Tool {
  usage: string;
  run: (config: ReturnType<typeof readConfig>, words: string[]) => Promise<void>;
  /** How many words it takes. */
  words: number;
}

const tools: Record<string, Tool> = {
  backup: {
    usage: 'backup -- FILE',
    words: 1,
    async run(config, [name]) {
      const file = fileNamed(name!);
      const { backupPassphrase: passphrase } = config;
      const { bytes, tables, rows } = await withDatabase(config, (url) => takeBackup(url, { file, passphrase, nowMs: Date.now() }));
      print(`${file}: ${tables} tables, ${rows} rows, ${(bytes / 1e6).toFixed(1)} MB, ${passphrase ? 'encrypted' : 'not encrypted (set BACKUP_PASSPHRASE)'}; read back and complete.`);
    },
  },
  restore: {
    usage: 'restore -- FILE',
    words: 1,
    async run(config, [name]) {
      const file = fileNamed(name!);
      const { backupPassphrase: passphrase } = config;
      const takenAt = await withDatabase(config, (url) => restoreBackup(url, { file, passphrase }));
      print(`Everything is as it was at ${takenAt}. Tablets send again what they have done since; people sign in again where they are asked to.`);
    },
  },
};

async function run([name = '', ...words]: string[]): Promise<void> {
  const tool = tools[name];
  if (!tool || words.length !== tool.words) {
    const usages = Object.values(tools).map(({ usage }) => `  npm run ${usage}`);
    throw new Error(['Usage:', ...usages].join('\n'));
  }
  await tool.run(readConfig(process.env), words);
}

run(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
