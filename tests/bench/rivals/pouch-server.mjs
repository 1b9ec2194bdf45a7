/**
 * Runs express-pouchdb with its documents in memory, which favours it: it never waits for the disk. The server also
 * serves the benchmark's pages, so that the browser sees one origin. Arguments: the port and the folder of the pages.
 */
import express from 'express';
import expressPouchDB from 'express-pouchdb';
import PouchDB from 'pouchdb';
import memory from 'pouchdb-adapter-memory';

const [port, pages] = process.argv.slice(2);
const InMemory = PouchDB.plugin(memory).defaults({ adapter: 'memory' });
const app = express();
app.use('/db', expressPouchDB(InMemory, { mode: 'minimumForPouchDB', inMemoryConfig: true }));
app.use(express.static(pages));
app.listen(Number(port), '127.0.0.1', () => console.log('ready'));
