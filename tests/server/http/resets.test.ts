import { EventEmitter } from 'node:events';
import type { ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import { beforeEach, expect, test } from 'vitest';
import { Resets } from '#server/http/resets.ts';

let nowMs: number;
let resets: Resets;
beforeEach(() => {
  nowMs = 0;
  resets = new Resets(
    (session) => (session as unknown as Ending).end(),
    () => nowMs,
  );
});

interface Ending {
  end: () => void;
}

/** A connection from an address, as far as it is looked at. */
function connection(remoteAddress: string) {
  const session = {
    socket: { remoteAddress },
    closed: false,
    end: () => void (session.closed = true),
  };
  const takeBack = (times: number) => {
    for (let asked = 0; asked < times; asked += 1) {
      const stream = Object.assign(new EventEmitter(), { session: session as unknown as ServerHttp2Session });
      resets.watch(stream as unknown as ServerHttp2Stream);
      stream.emit('aborted');
    }
  };
  return { session, takeBack };
}

test('a connection has three hundred requests to take back in ten seconds', () => {
  const page = connection('192.0.2.1');
  for (let span = 0; span < 5; span += 1) {
    page.takeBack(300);
    nowMs += 10_001;
  }
  expect(page.session.closed).toBe(false);
  page.takeBack(302);
  expect(page.session.closed).toBe(true);
});

test('a network that begins one connection after the other gets little for each, and who takes back a few stays', () => {
  const neighbour = connection('2001:db8::1');
  for (let n = 2; n < 8; n += 1) connection(`2001:db8::${n}`).takeBack(301);
  const late = connection('2001:db8::9');
  late.takeBack(21);
  neighbour.takeBack(15);
  const other = connection('2001:db8:0:1::1');
  other.takeBack(300);
  expect([late, neighbour, other].map(({ session }) => session.closed)).toEqual([true, false, false]);
  nowMs += 10_001;
  const later = connection('2001:db8::9');
  later.takeBack(300);
  expect(later.session.closed).toBe(false);
});
