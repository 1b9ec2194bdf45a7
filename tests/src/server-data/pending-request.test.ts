import { expect, test } from 'vitest';
import { inputOf, isOpen, requestAfter, requestOf, sendingBy } from '#src/server-data/pending-request.ts';
import type { PendingRequest } from '#src/server-data/pending-request.ts';

const before = { received: 0 };
const now = { received: 5 };

test('a retry of the same decision has its key and says what was seen when it was first sent', () => {
  const lost = requestOf({ quantity: 5, seen: before }, undefined, true);
  expect(lost.seen).toBe(before);
  expect(requestOf({ quantity: 5, seen: now }, lost, true)).toBe(lost);
});

test('another decision after a lost reply says what was seen before the lost one', () => {
  const lost = requestOf({ quantity: 5, seen: before }, undefined, true);
  const edited = requestOf({ quantity: 4, seen: now }, lost, true);
  expect(edited.key).not.toBe(lost.key);
  expect(edited.seen).toBe(before);
});

test('a decision on another record says what was seen of that one', () => {
  const lost = requestOf({ id: 1, seen: before }, undefined, false);
  expect(requestOf({ id: 2, seen: now }, lost, false).seen).toBe(now);
});

test('a request that is no decision says nothing that was seen', () => {
  expect(requestOf({ name: 'Gloves' }, { request: '{}', key: 'k', seen: before }, true).seen).toBeUndefined();
  expect(requestOf(null, undefined, true)).toMatchObject({ request: 'null', seen: undefined });
});

/** A server that creates records under keys, and the page's calls to it. */
function creating() {
  const records = new Map<string, { id: number; amount: number }>();
  const state = { loses: false, refuses: false, sent: [] as string[] };
  const lost = new Error('lost');
  const refused = new Error('refused');
  function reply<Output>(output: Output): Output {
    if (state.loses) throw lost;
    return output;
  }
  const changes = new Map<string, { id: number; amount: number }>();
  const sender = () =>
    sendingBy<{ amount: number }, { id: number; amount: number }>(
      (request) => {
        state.sent.push(`create ${(inputOf(request) as { amount: number }).amount}`);
        if (state.refuses) return Promise.reject(refused);
        const stored = records.get(request.key) ?? {
          id: records.size + 1,
          ...(inputOf(request) as { amount: number }),
        };
        records.set(request.key, stored);
        return Promise.resolve().then(() => reply(stored));
      },
      ({ amount }, { output }, { key }) => {
        state.sent.push(`change ${output.amount} to ${amount}`);
        const stored = changes.get(key!) ?? { ...output, amount };
        changes.set(key!, stored);
        return Promise.resolve().then(() => reply(stored));
      },
      (key) => ({ key }),
    );
  let kept: PendingRequest | undefined;
  return {
    records,
    state,
    reload: () => (kept = JSON.parse(JSON.stringify(kept)) as PendingRequest),
    save: async (amount: number) => {
      const send = sender();
      kept = await requestAfter({ amount }, kept, send, (thrown) => thrown === refused);
      return send(kept);
    },
  };
}

test.each([false, true])(
  'a creation whose reply was lost is changed by another content, after a reload: %s',
  async (reloads) => {
    const page = creating();
    page.state.loses = true;
    await expect(page.save(10)).rejects.toThrow('lost');
    if (reloads) page.reload();
    await expect(page.save(15)).rejects.toThrow('lost');
    page.state.loses = false;
    await expect(page.save(15)).resolves.toEqual({ id: 1, amount: 15 });
    expect(page.records.size).toBe(1);
    expect(page.state.sent).toEqual(['create 10', 'create 10', 'create 10', 'change 10 to 15']);
  },
);

test('content that is changed back after a lost change is changed back in the record', async () => {
  const page = creating();
  page.state.loses = true;
  await expect(page.save(10)).rejects.toThrow('lost');
  page.state.loses = false;
  await page.save(15);
  await expect(page.save(10)).resolves.toEqual({ id: 1, amount: 10 });
  expect(page.state.sent.slice(-2)).toEqual(['change 10 to 15', 'change 15 to 10']);
  expect(page.records.size).toBe(1);
});

test('a creation that turns out refused has created nothing, so the other content is created', async () => {
  const page = creating();
  page.state.loses = true;
  await expect(page.save(10)).rejects.toThrow('lost');
  page.records.clear();
  Object.assign(page.state, { loses: false, refuses: true });
  await expect(page.save(15)).rejects.toThrow('refused');
  expect(page.state.sent).toEqual(['create 10', 'create 10', 'create 15']);
});

test.each([
  ['NETWORK', true],
  ['UNAVAILABLE', true],
  ['TOO_MANY_REQUESTS', true],
  ['SESSION_EXPIRED', true],
  ['VALIDATION', false],
  ['UNEXPECTED', false],
] as const)('after %s it is open whether a request was stored: %s', (code, expected) => {
  expect(isOpen({ code, message: '' })).toBe(expected);
});
