/** The command line of an installation: backup, restore and clinics. The server may run meanwhile. */
import path from 'node:path';
import { emailOf } from '#domain/email.ts';
import type { StoredFault } from '#domain/fiscal/resources.ts';
import { isValid, problemMessages } from '#domain/problems.ts';
import { settingsProblems } from '#domain/settings/rules.ts';
import { defaultSettings } from '#domain/settings/settings.ts';
import { staffProblems } from '#domain/staff/decisions.ts';
import { readConfig } from './config.ts';
import type { Config } from './config.ts';
import { restoreBackup } from './db/backup/restore.ts';
import { takeBackup } from './db/backup/take.ts';
import { openDatabase } from './db/database.ts';
import type { Sql } from './db/sql.ts';
import { inTransaction } from './db/transaction.ts';
import { firstPassword } from './first-start.ts';
import type { FirstAdmin } from './first-start.ts';
import { createClinic, listClinics } from './modules/clinics/service.ts';
import { verifyChains } from './modules/fiscal/service.ts';
import { createAdmin } from './modules/users/service.ts';
import { argon2Passwords } from './modules/users/passwords.ts';
import { embeddedUrl, startEmbeddedPostgres } from './db/embedded/embedded-postgres.ts';
import { runningPostmaster } from './db/embedded/postmaster.ts';
import { hasMoved } from './db/home-cluster.ts';
import { mustOwnConnections } from './db/own-connections.ts';
import { migrate, movedNotice } from './db/migrate.ts';
import { shown, shownLines } from './shown-text.ts';

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** npm changes the working folder; paths are relative to the folder of the caller. */
const fileNamed = (name: string): string => path.resolve(process.env['INIT_CWD'] ?? process.cwd(), name);

/** Runs work in one transaction of the installation's database. */
async function withTransaction<T>(config: Config, work: (sql: Sql) => Promise<T>): Promise<T> {
  return withDatabase(config, async (url) => {
    const pool = openDatabase(url).$client;
    return inTransaction(pool, work).finally(() => pool.end());
  });
}

/**
 * Adds an empty clinic with its first administrator.
 *
 * @returns the administrator, with the password that is shown only now
 * @throws Error with a line for each mistake in the name or the email
 */
async function addClinic(sql: Sql, config: Config, wanted: { name: string; email: string }): Promise<FirstAdmin> {
  const chosen = { practice_name: wanted.name.trim(), time_zone: config.timeZone, setup_finished: false };
  const admin: FirstAdmin = { email: emailOf(wanted.email), password: firstPassword() };
  const draft = { name: 'Administrator', phone: '', role: 'admin', status: 'active', ...admin } as const;
  const problems = { ...settingsProblems({ ...defaultSettings, ...chosen }), ...staffProblems(draft, { isNew: true }) };
  if (!isValid(problems)) throw new Error(Object.values(problemMessages(problems)).join('\n'));
  const atMs = Date.now();
  const clinicId = await createClinic(sql, { settings: chosen, createdAt: atMs });
  const passwordHash = await argon2Passwords().hash(admin.password);
  await createAdmin(sql, { clinicId, email: admin.email, passwordHash, atMs });
  return admin;
}

/**
 * Verifies the chains of fiscal records of all clinics, and that they fit documents, payments, Z reports and the answers of
 * the tax agency.
 *
 * @param printed a head as a report prints it: chain, place and the beginning of the seal
 * @throws Error if a chain is not whole, something contradicts it, a document has no record, or no chain has the printed head
 */
async function verifyAll(sql: Sql, printed?: { chain: string; sequence: number; seal: string }): Promise<void> {
  const faults: string[] = [];
  if (await hasMoved(sql))
    faults.push(
      'The data came from another PostgreSQL cluster while the server ran, so tablets lack rows: start it again.',
    );
  let isFound = false;
  for (const { id, name: typed } of await listClinics(sql)) {
    const name = shown(typed);
    const { chains, unrecorded, contradictions, days, head_found } = await verifyChains(sql, id, {
      nowMs: Date.now(),
      printed,
    });
    isFound ||= head_found === true;
    for (const { chain, device_id, count, seal, faults: found } of chains) {
      print([id, name, shown(chain), `device ${device_id}`, `${count} records`, seal].join('\t'));
      for (const { sequence, fault } of found)
        faults.push(`${name}: chain ${shown(chain)}, record ${sequence}: ${fault}`);
    }
    for (const { number, issued_at } of unrecorded)
      faults.push(`${name}: document ${shown(number)} of ${issued_at} has no fiscal record`);
    for (const { number, fault } of contradictions)
      faults.push(`${name}: ${shown(number)}: ${storedFaultTexts[fault]}`);
    for (const { day, recorded, reported } of days)
      faults.push(`${name}: ${day}: the records say ${recorded.toFixed(2)}, the Z report says ${reported.toFixed(2)}`);
  }
  if (printed && !isFound) faults.push(`No chain ${printed.chain} has the printed record ${printed.sequence}.`);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  print('Every chain of fiscal records is whole, and fits documents, payments, Z reports and the stored answers.');
}

const storedFaultTexts: Record<StoredFault['fault'], string> = {
  document: 'its record says something else than the document',
  no_document: 'its record is of no document',
  reply: 'the stored answers of the tax agency say something else than the state of its record',
  noted: 'nothing says whether its record was sent',
  payment: 'the payment of this invoice is not there',
  totals: 'the amounts by tax are not its total',
  paid: 'another amount counts as paid than was paid',
};

interface Tool {
  /** The words after `npm run`. A word in capitals is a placeholder for a value. */
  words: string[];
  /** Runs the command with the values in their order. */
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
      const { takenAt, isFirst } = await withDatabase(config, (url) => restoreBackup(url, { file, passphrase }));
      print(`Restored the data of ${takenAt}. Everybody signs in again, and tablets then send their later work again.`);
      if (isFirst)
        print(
          'Passwords, deactivations and revoked tablets are those of the backup: look at Staff and Devices before others can reach the server (docs/operating.md, "The machine is lost").',
        );
    },
  },
  {
    words: ['clinic', 'add', 'NAME', 'EMAIL'],
    async run(config, name = '', email = '') {
      const admin = await withTransaction(config, (sql) => addClinic(sql, config, { name, email }));
      print(`Sign in as ${admin.email} with the password ${admin.password} (shown this once).`);
    },
  },
  {
    words: ['clinic', 'list'],
    async run(config) {
      for (const { id, name, createdAtMs, activeUsers } of await withTransaction(config, listClinics)) {
        print(
          [
            id,
            shown(name),
            `since ${new Date(createdAtMs).toISOString().slice(0, 10)}`,
            `${activeUsers} can sign in`,
          ].join('\t'),
        );
      }
    },
  },
  {
    words: ['verify'],
    run: (config) => withTransaction(config, (sql) => verifyAll(sql)),
  },
  {
    words: ['verify', 'CHAIN', 'PLACE', 'SEAL'],
    run: (config, chain = '', place = '', seal = '') =>
      withTransaction(config, (sql) => verifyAll(sql, { chain, sequence: Number(place), seal })),
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
  process.stderr.write(`${shownLines(error instanceof Error ? error.message : String(error))}\n`);
  process.exit(1);
});

/**
 * Connects to the database, whether the server runs or not.
 *
 * @throws DataFolderInUseError while a server is starting on the data folder
 */
async function withDatabase<T>(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  work: (connectionString: string) => Promise<T>,
): Promise<T> {
  if (databaseUrl !== null) {
    await mustOwnConnections(databaseUrl);
    await prepare(databaseUrl);
    return work(databaseUrl);
  }
  const running = await runningPostmaster(path.join(dataDir, 'postgresql'));
  if (running?.isReady) return work(embeddedUrl(running.socketFolder));
  const postgres = await startEmbeddedPostgres({ dataDir });
  try {
    await prepare(postgres.connectionString);
    return await work(postgres.connectionString);
  } finally {
    await postgres.stop();
  }
}

async function prepare(connectionString: string): Promise<void> {
  const { moved } = await migrate(connectionString);
  if (moved) print(movedNotice);
}
