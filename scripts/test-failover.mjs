/**
 * `npm run test:failover`: kills or freezes the PostgreSQL primary under several server processes while its standby takes over.
 * KILL_ROUNDS sets the number of rounds; every fourth round freezes the primary instead of killing it.
 */
import { ensurePostgresql } from './lib/postgresql.mjs';
import { runProgram } from './lib/run.mjs';
import { ensureBuilt, ensureInstalled } from './setup.mjs';

await ensureInstalled();
await ensureBuilt();
const env = { POSTGRESQL_BIN: await ensurePostgresql() };
process.exitCode = (await runProgram('tests/failover/main.ts', { env })) ? 0 : 1;
