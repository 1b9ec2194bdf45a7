/**
 * The server process: starts or finds PostgreSQL, migrates it, serves, and shuts down in order. With several processes,
 * the first starts the others.
 */
import cluster from 'node:cluster';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { buildApp } from './app.ts';
import { isInClear, readConfig } from './config.ts';
import type { Config } from './config.ts';
import { startNightlyBackups } from './db/backup/nightly.ts';
import { acrossClinics, openDatabase } from './db/database.ts';
import { startEmbeddedPostgres } from './db/embedded/embedded-postgres.ts';
import { mustOwnConnections } from './db/own-connections.ts';
import { migrate, movedNotice } from './db/migrate.ts';
import { ensureClinic } from './first-start.ts';
import { logOptions } from './http/log.ts';
import { startAlertSweep } from './modules/alerts/sweep.ts';
import { saveAgencySystem } from './modules/clinics/service.ts';
import { startRecordChecks } from './modules/fiscal/checks.ts';
import { startFiscalSender } from './modules/fiscal/sender.ts';
import { agencyOver, systemAt } from './modules/fiscal/transport.ts';
import { startEmailJob } from './modules/notifications/email-job.ts';
import { smtpMailer } from './modules/notifications/mailer.ts';
import { recordBackupFault, recordStart } from './modules/notifications/system-events.ts';
import { version } from './version.ts';
import { startErasures } from './modules/patients/sweep.ts';
import { startUploadSweep } from './modules/uploads/sweep.ts';
import { openDemoAccounts } from './modules/users/service.ts';
import { argon2Passwords } from './modules/users/passwords.ts';
import { isSpokesman, startProcesses } from './processes.ts';
import { projectRoot } from './project-root.ts';
import { secretInDatabase, secretInFolder } from './token-secret.ts';
import { stopServing } from './shutdown.ts';
import { shownLines } from './shown-text.ts';

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const clearTextWarning =
  'WARNING: passwords and patients travel in clear text: other machines reach this server without TLS. Set TLS_CERT and TLS_KEY, or HOST=127.0.0.1 behind a proxy with TLS (docs/operating.md, "A machine in the clinic").';

async function start(config: Config): Promise<() => Promise<void>> {
  const postgres =
    config.databaseUrl === null ? await startEmbeddedPostgres({ dataDir: config.dataDir, log: print }) : null;
  const connectionString = postgres?.connectionString ?? config.databaseUrl!;
  try {
    if (!postgres) await mustOwnConnections(connectionString);
    const migrations = await migrate(connectionString);
    if (migrations.moved) print(movedNotice);
    const database = openDatabase(connectionString, {
      onLost: ({ message }) => print(`A database connection was lost: ${message}`),
    });
    const secret = await (postgres ? secretInFolder(config.dataDir) : secretInDatabase(acrossClinics(database)));
    const ports = { database, config, clock: Date.now, secret, passwords: argon2Passwords() };
    const firstAdmin = await ensureClinic(ports);
    const system = config.verifactu ? systemAt(config.verifactu.url) : 'production';
    await saveAgencySystem(acrossClinics(database), system, ports.clock());
    await recordStart(acrossClinics(database), { version, migrations, atMs: ports.clock() });
    const appFolder = path.join(projectRoot, 'dist/app');
    const app = await buildApp({
      ...ports,
      logger: { ...logOptions, level: config.logLevel },
      tls: config.tls && { cert: readFileSync(config.tls.certFile), key: readFileSync(config.tls.keyFile) },
      appFolder: existsSync(path.join(appFolder, 'index.html')) ? appFolder : null,
    });
    const address = await app.listen({ host: config.host, port: config.port });
    const failed = (work: string) => (error: unknown) => app.log.error({ err: error }, `${work} failed`);
    const sweep = startAlertSweep(ports, failed('alert sweep'));
    const uploads = startUploadSweep(ports, failed('upload sweep'));
    const erasures = startErasures(ports, failed('erasure of patients'));
    const backups = startNightlyBackups({ config, connectionString, clock: ports.clock }, (fault, night) => {
      failed('nightly backup')(fault);
      recordBackupFault(acrossClinics(database), night, ports.clock()).catch(failed('note of a failed backup'));
    });
    const delivery =
      config.smtp && startEmailJob({ database, clock: ports.clock, mailer: smtpMailer(config.smtp) }, failed('mail'));
    const checks = startRecordChecks(ports, failed('check of fiscal records'));
    const sender =
      config.verifactu &&
      !config.demo &&
      startFiscalSender(
        { ...ports, producer: config.verifactu.producer, agency: agencyOver(config.verifactu.url) },
        failed('sending of fiscal records'),
      );
    if (isSpokesman()) print(`Dental Counter is ready: ${address}`);
    if (isSpokesman() && isInClear(config)) print(clearTextWarning);
    if (firstAdmin) print(`Sign in as ${firstAdmin.email} with the password ${firstAdmin.password} (shown this once).`);
    const shown = isSpokesman() ? await openDemoAccounts(acrossClinics(database)) : [];
    for (const { role, email, password } of shown) print(`Sign in as ${role}: ${email} / ${password}`);
    return async () => {
      await stopServing({
        app,
        drainMs: config.drainMs,
        stopJobs: () =>
          Promise.all([
            sweep.stop(),
            uploads.stop(),
            erasures.stop(),
            backups.stop(),
            checks.stop(),
            delivery?.stop(),
            sender ? sender.stop() : undefined,
          ]),
        endDatabase: () => database.$client.end(),
      });
      await postgres?.stop();
    };
  } catch (error) {
    await postgres?.stop();
    throw error;
  }
}

async function run(): Promise<void> {
  const config = readConfig(process.env);
  const isOneOfAll = config.processes === 1 || cluster.isWorker;
  const started = isOneOfAll ? start(config) : startProcesses(config.processes, import.meta.filename, print);
  let stopping: Promise<void> | undefined;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // Signals are also handled during the start, or PostgreSQL would be left running.
    process.on(signal, () => {
      stopping ??= started.then((stop) => stop()).then(() => process.exit(0), fail);
    });
  }
  await started;
}

function fail(error: unknown): never {
  process.stderr.write(
    `Dental Counter stopped with an error.\n${shownLines(error instanceof Error ? error.message : String(error))}\n`,
  );
  process.exit(1);
}

run().catch(fail);
