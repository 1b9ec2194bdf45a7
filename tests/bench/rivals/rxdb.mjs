/** Pushes with RxDB's replication to an HTTP handler, with the Dexie storage, defaults and batches of 100. */
import { createRxDatabase } from 'rxdb/plugins/core';
import { replicateRxCollection } from 'rxdb/plugins/replication';
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie';

const schema = {
  version: 0,
  primaryKey: 'op_id',
  type: 'object',
  properties: {
    op_id: { type: 'string', maxLength: 36 },
    device_id: { type: 'integer' },
    device_seq: { type: 'integer' },
    aggregate: { type: 'string' },
    depends_on: { type: 'array', items: { type: 'string' } },
    kind: { type: 'string' },
    v: { type: 'integer' },
    payload: { type: 'object', additionalProperties: true },
    actor_id: { type: 'integer' },
    occurred_at: { type: 'string' },
    clock_offset_ms: { type: ['integer', 'null'] },
  },
  required: ['op_id', 'kind', 'payload'],
};

let collection;

export async function prepare(operations) {
  const database = await createRxDatabase({ name: 'operations', storage: getRxStorageDexie(), multiInstance: false });
  ({ operations: collection } = await database.addCollections({ operations: { schema } }));
  const { error } = await collection.bulkInsert(operations);
  if (error.length > 0) throw new Error('RxDB did not store all operations.');
}

/** @param address of the server's push handler */
export async function run(address) {
  const handler = async (rows) => {
    const reply = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(rows),
    });
    if (!reply.ok) throw new Error(`${address} failed with ${reply.status}.`);
    return reply.json();
  };
  const started = performance.now();
  const replication = replicateRxCollection({
    replicationIdentifier: 'bench',
    collection,
    live: false,
    push: { handler },
  });
  await replication.awaitInitialReplication();
  const took = performance.now() - started;
  await replication.cancel();
  return took;
}
