/**
 * Runs express-pouchdb with its documents in memory, which favours it: it never waits for the disk. Of the databases whose
 * names begin with `booked`, each arriving document is booked as a sale first, and that waits for the disk. The server
 * also serves the benchmark's pages, so that the browser sees one origin. Arguments: the port, the folder of the pages, and
 * the address of PostgreSQL.
 */
import express from 'express';
import expressPouchDB from 'express-pouchdb';
import PouchDB from 'pouchdb';
import memory from 'pouchdb-adapter-memory';
import { bookAll, bookingsPool } from '../servers/bookings.ts';

const [port, pages, connectionString] = process.argv.slice(2);
const pool = bookingsPool(connectionString);
const InMemory = PouchDB.plugin(memory).defaults({ adapter: 'memory' });
const app = express();
app.post(/^\/db\/booked[^/]*\/_bulk_docs$/, express.json({ limit: '16mb' }), async (request, response, next) => {
  try {
    await bookAll(pool, request.body.docs);
  } catch (error) {
    response.status(500).json({ error: String(error) });
    return;
  }
  next();
});
app.use('/db', expressPouchDB(InMemory, { mode: 'minimumForPouchDB', inMemoryConfig: true }));
app.use(express.static(pages));
app.listen(Number(port), '127.0.0.1', () => console.log('ready'));
