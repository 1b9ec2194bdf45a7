/** What is done to an installation from the command line, whether its server runs or not. */
import path from 'node:path';
import { addClinic, listClinics } from './clinic-tool.ts';
import { readConfig } from './config.ts';
import type { Config } from './config.ts';
import { restoreBackup } from './db/backup/restore.ts';
import { takeBackup } from './db/backup/take.ts';
import { openDatabase } from './db/database.ts';
import type { Database } from './db/database.ts';
import { withDatabase } from './db/reach.ts';
import { argon2Passwords } from './modules/users/passwords.ts';

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** npm changes the folder; a file is meant from where the command was given. */
const fileNamed = (name: string): string => path.resolve(process.env['INIT_CWD'] ?? process.cwd(), name);

async function withQueries<T>(config: Config, work: (database: Database) => Promise<T>): Promise<T> {
  return withDatabase(config, async (url) => {
    const database = openDatabase(url);
    return work(database).finally(() => database.$client.end());
  });
}

interface Tool {
  /** What is typed after `npm run`. A word in capitals stands for what the caller means. */
  words: string[];
  /** With what the caller meant, in that order. */
  run(config: Config, ...given: string[]): Promise<void>;
}

const tools: Tool[] = [
  {
    words: ['backup', 'FILE'],
    async run(config, name = '') {
      const file = fileNamed(name);
      const { backupPassphrase: passphrase } = config;
      const { bytes, tables, rows } = await withDatabase(config, (url) =>
        takeBackup(url, { file, passphrase, nowMs: Date.now() }),
      );
      print(
        `${file}: ${tables} tables, ${rows} rows, ${(bytes / 1e6).toFixed(1)} MB, ${passphrase ? 'encrypted' : 'not encrypted (set BACKUP_PASSPHRASE)'}; read back and complete.`,
      );
    },
  },
  {
    words: ['restore', 'FILE'],
    async run(config, name = '') {
      const file = fileNamed(name);
      const { backupPassphrase: passphrase } = config;
      const takenAt = await withDatabase(config, (url) => restoreBackup(url, { file, passphrase }));
      print(
        `Everything is as it was at ${takenAt}. Tablets send again what they have done since; people sign in again where they are asked to.`,
      );
    },
  },
  {
    words: ['clinic', 'add', 'NAME', 'EMAIL'],
    async run(config, name = '', email = '') {
      const admin = await withQueries(config, (database) =>
        addClinic({ database, config, clock: Date.now, passwords: argon2Passwords() }, { name, email }),
      );
      print(`Sign in as ${admin.email} with the password ${admin.password} (shown this once).`);
    },
  },
  {
    words: ['clinic', 'list'],
    async run(config) {
      for (const { id, name, createdAt, people } of await withQueries(config, listClinics)) {
        print(
          [id, name, `since ${new Date(createdAt).toISOString().slice(0, 10)}`, `${people} can sign in`].join('\t'),
        );
      }
    },
  },
];

const isMeant = (word: string): boolean => word === word.toUpperCase();

const isFor =
  (given: readonly string[]) =>
  ({ words }: Tool) =>
    words.length === given.length && words.every((word, index) => isMeant(word) || word === given[index]);

async function run(given: string[]): Promise<void> {
  const tool = tools.find(isFor(given));
  if (!tool) {
    const usages = tools.map(({ words: [name, ...words] }) => `  npm run ${name} -- ${words.join(' ')}`);
    throw new Error(['Usage:', ...usages].join('\n'));
  }
  await tool.run(readConfig(process.env), ...given.filter((_word, index) => isMeant(tool.words[index]!)));
}

run(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
