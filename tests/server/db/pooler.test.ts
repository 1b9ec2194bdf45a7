import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { serverAccount } from '#server/db/embedded/account.ts';
import { mustOwnConnections } from '#server/db/own-connections.ts';
import { onConnection } from '#server/db/pool.ts';
import { freshDatabase } from '#tests/support/database.ts';
import { eventually } from '#tests/support/eventually.ts';
import { inLongRun } from '#tests/support/long-run.ts';
import { freePort } from '#tests/support/server-process.ts';

const pgbouncer = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((program) => existsSync(program));
if (!pgbouncer) process.stdout.write('UNAVAILABLE: no PgBouncer; its tests are left out.\n');

/** Each must come to the same result. */
const starts = inLongRun(20, { otherwise: 2 });

test('connections to PostgreSQL itself are taken for what they are', async () => {
  const database = await freshDatabase();
  await mustOwnConnections(database.connectionString);
  await database.drop();
});

describe.runIf(pgbouncer)('PgBouncer', () => {
  test.each(['session', 'transaction', 'statement'])('in %s mode is told apart', async (mode) => {
    const database = await freshDatabase();
    const { username, pathname, searchParams } = new URL(database.connectionString.replace('@/', '@socket/'));
    const folder = await mkdtemp(path.join(tmpdir(), 'dental-counter-pgbouncer-'));
    const port = await freePort();
    const account = await serverAccount('/nowhere');
    const settings = path.join(folder, 'pgbouncer.ini');
    await writeFile(
      settings,
      `[databases]
clinic = host=${searchParams.get('host')} dbname=${pathname.slice(1)} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
`,
    );
    if (account) for (const place of [folder, settings]) await chown(place, account.uid, account.gid);
    const child = spawn(pgbouncer!, [settings], { cwd: folder, stdio: 'ignore', ...account });
    try {
      const url = `postgres://${username}@127.0.0.1:${port}/clinic`;
      await eventually(() => onConnection(url, async () => undefined));
      for (let start = 0; start < starts; start++) {
        const asked = mustOwnConnections(url);
        if (mode === 'session') await asked;
        else await expect(asked).rejects.toThrow(mode === 'transaction' ? 'pool_mode = session' : /./);
      }
    } finally {
      child.kill('SIGTERM');
      await once(child, 'exit');
      await rm(folder, { recursive: true });
      await database.drop();
    }
  });
});
