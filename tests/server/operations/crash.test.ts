import { expect, test } from 'vitest';
import { killPostgres, postmasterPid } from '../embedded/server-process.ts';
import { scratchFolder, start } from '../embedded/scratch.ts';
import { TestDevice } from '#tests/support/device.ts';
import { startTestServer } from '#tests/support/server.ts';

const burnt = 5;

test(
  'SYNC-9 the feed returns transactions whose ids PostgreSQL used again after a crash',
  { timeout: 60_000 },
  async () => {
    const dataDir = await scratchFolder();
    const server = await startTestServer({ databaseUrl: (await start(dataDir)).connectionString });
    const pool = server.database.$client;
    try {
      const tablet = await TestDevice.enrol(server);
      await tablet.send(tablet.create());
      // These transactions write nothing, so PostgreSQL uses their ids again after a crash.
      for (let time = 0; time < burnt; time++) await pool.query('select pg_current_xact_id()');
      const { cursor } = await tablet.pull();
      await killPostgres(await postmasterPid(dataDir));
      await expect
        .poll(
          () =>
            pool.query('select 1').then(
              () => true,
              () => false,
            ),
          { timeout: 20_000 },
        )
        .toBe(true);

      const sold = Array.from({ length: burnt + 1 }, () => tablet.create());
      for (const sale of sold) await tablet.send(sale);
      const { receipts, rows } = await tablet.pull(cursor);
      expect(receipts.map(({ op_id }) => op_id).sort()).toEqual(sold.map(({ op_id }) => op_id).sort());
      expect(rows.orders.map(({ id }) => id).sort()).toEqual(sold.map(({ payload }) => payload.order_id).sort());
    } finally {
      await server.close();
    }
  },
);
