/** `npm run test:failover`: a PostgreSQL is lost under several processes that serve, and its standby takes over. KILL_ROUNDS says how often; every fourth time it stands still instead. */
import { ensurePostgresql } from './lib/postgresql.mjs';
import { runProgram } from './lib/run.mjs';
import { ensureBuilt, ensureInstalled } from './setup.mjs';

await ensureInstalled();
await ensureBuilt();
const env = { POSTGRESQL_BIN: await ensurePostgresql() };
process.exitCode = (await runProgram('tests/failover/main.ts', { env })) ? 0 : 1;
