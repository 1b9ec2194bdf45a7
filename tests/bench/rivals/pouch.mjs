/** Replicates with PouchDB to a CouchDB-compatible server, with the IndexedDB adapter, defaults and batches of 100. */
import PouchDB from 'pouchdb';

let local;

export async function prepare(operations) {
  local = new PouchDB('operations', { adapter: 'idb', auto_compaction: false });
  await local.bulkDocs(operations.map((operation) => ({ _id: operation.op_id, ...operation })));
}

export async function run(database) {
  const remote = new PouchDB(`${location.origin}/db/${database}`);
  const started = performance.now();
  const { ok, docs_written, errors } = await local.replicate.to(remote);
  const took = performance.now() - started;
  if (!ok || errors.length > 0) throw new Error(`PouchDB wrote only ${docs_written} documents.`);
  return took;
}
