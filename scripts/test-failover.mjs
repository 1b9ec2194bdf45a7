/**
 * `npm run test:failover`: kills and freezes the primary of a Patroni cluster behind HAProxy and PgBouncer, under several server
 * processes and tablets that sell. KILL_ROUNDS sets the number of rounds of each kind.
 */
import { ensureClusterPrograms } from './lib/cluster-programs.mjs';
import { runProgram } from './lib/run.mjs';
import { ensureBuilt, ensureInstalled } from './setup.mjs';

await ensureInstalled();
await ensureBuilt();
try {
  const env = { POSTGRESQL_BIN: await ensureClusterPrograms() };
  process.exitCode = (await runProgram('tests/failover/main.ts', { env })) ? 0 : 1;
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
