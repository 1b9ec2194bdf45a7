/**
 * Requests that are sent on one connection without waiting for replies. All that arrive together are read in one turn of the event
 * loop; a few of them begin in each, so that whatever else the process does goes on in between.
 */
import type { Duplex } from 'node:stream';

/** Of one connection in one turn. A page over HTTP/2 asks for dozens of files at once, and has them begun in a few turns. */
const mostInTurn = 4;
/** Of one connection. No browser sends anything ahead over HTTP/1.1, and a connection over HTTP/2 has fewer streams. */
const mostWaiting = 1000;
/** How long somebody who sends more has a dead connection, instead of beginning another at once. */
const deadMs = 2000;

interface Line {
  /** What has begun in this turn. */
  begun: number;
  waiting: (() => void)[];
  isDead?: true;
}

const lines = new WeakMap<Duplex, Line>();

/** Begins a request in the turn of its connection. Who sends too much ahead loses the connection, and with it what waits. */
export function beginInTurn(connection: Duplex, begin: () => void): void {
  const line = lines.get(connection) ?? { begun: 0, waiting: [] };
  lines.set(connection, line);
  if (connection.destroyed) return;
  if (line.isDead) return void connection.pause();
  if (line.begun === 0) setImmediate(() => goOn(connection, line));
  if (line.begun < mostInTurn) {
    line.begun += 1;
    begin();
  } else if (line.waiting.length < mostWaiting) line.waiting.push(begin);
  else die(connection, line);
}

function die(connection: Duplex, line: Line): void {
  line.isDead = true;
  line.waiting = [];
  connection.pause();
  setTimeout(() => connection.destroy(), deadMs).unref();
}

function goOn(connection: Duplex, line: Line): void {
  line.begun = 0;
  if (connection.destroyed) line.waiting = [];
  const now = line.waiting.splice(0, mostInTurn);
  if (now.length === 0) return;
  line.begun = now.length;
  setImmediate(() => goOn(connection, line));
  for (const begin of now) begin();
}
