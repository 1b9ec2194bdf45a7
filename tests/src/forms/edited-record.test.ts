import { describe, expect, it } from 'vitest';
import { changeIn, edited, isOlder, mergeDraft, problemsOfChange, settleField } from '#src/forms/edited-record.ts';

interface Person {
  name: string;
  phone: string | null;
  role: string;
  status: string;
  updated_at: string;
}
interface Draft {
  name: string;
  tel: string;
  role: string;
  status: string;
  password: string;
}

const opened: Person = {
  name: 'Eva Gil',
  phone: null,
  role: 'counter',
  status: 'active',
  updated_at: '2026-03-01T10:00:00.000Z',
};
const edit = edited<Person, Draft>(opened, {
  draftOf: ({ name, phone, role, status }) => ({
    name,
    tel: phone ?? '',
    role,
    status,
    password: '',
  }),
  bodyOf: ({ tel, password, ...draft }) => ({
    ...draft,
    phone: tel,
    ...(password !== '' && { password }),
  }),
  names: { tel: 'phone' },
  views: {},
})!;
const seen = { ...opened };
const draft = (changes: Partial<Draft> = {}): Draft => ({ ...edit.draftOf(seen), ...changes });
const merge = (mine: Partial<Draft>, stored: Partial<Person>) =>
  mergeDraft(edit, { opened: seen, values: draft(mine), stored: { ...seen, ...stored } });

describe('the form of a record', () => {
  it('sends the fields that its user changed, with what they were when it was opened', () => {
    expect(changeIn(edit, seen, draft({ tel: '600', password: 'sol y sombra' }))).toEqual({
      changes: { phone: '600', password: 'sol y sombra' },
      seen: { phone: null, password: undefined },
    });
  });

  it('sends nothing when nothing was changed', () => {
    expect(changeIn(edit, seen, draft())).toEqual({ changes: {}, seen: {} });
  });

  it('follows what others change beside it', () => {
    const merged = merge({ tel: '600' }, { status: 'inactive', role: 'manager' });
    expect(merged).toMatchObject({ followed: ['role', 'status'], asked: [] });
    expect(merged.values).toEqual(draft({ tel: '600', status: 'inactive', role: 'manager' }));
    expect(changeIn(edit, merged.opened, merged.values)).toEqual({
      changes: { phone: '600' },
      seen: { phone: null },
    });
  });

  it('asks what both have changed, and loses neither value', () => {
    const merged = merge({ name: 'Eva Gil Ruiz' }, { name: 'Eva G. Ruiz', role: 'manager' });
    expect(merged).toMatchObject({
      followed: ['role'],
      asked: ['name'],
      opened: { name: 'Eva Gil', role: 'manager' },
    });
    expect(merged.values.name).toBe('Eva Gil Ruiz');
  });

  it('sends its own value on what is stored, once its user keeps it', () => {
    const stored = { ...seen, name: 'Eva G. Ruiz' };
    const merged = merge({ name: 'Eva Gil Ruiz' }, stored);
    const mine = settleField(edit, { ...merged, stored }, { field: 'name', isMine: true });
    expect(changeIn(edit, mine.opened, mine.values)).toEqual({
      changes: { name: 'Eva Gil Ruiz' },
      seen: { name: 'Eva G. Ruiz' },
    });
    const theirs = settleField(edit, { ...merged, stored }, { field: 'name', isMine: false });
    expect(changeIn(edit, theirs.opened, theirs.values).changes).toEqual({});
    expect(theirs.values.name).toBe('Eva G. Ruiz');
  });

  it('asks nothing when both came to the same', () => {
    const merged = merge({ tel: '600' }, { phone: '600' });
    expect(merged).toMatchObject({ followed: [], asked: [] });
    expect(changeIn(edit, merged.opened, merged.values).changes).toEqual({});
  });

  it('keeps a number that cannot be read yet', () => {
    const room = edited<{ seats: number | null }, { seats: number | null }>(
      { seats: null },
      { draftOf: (r) => r, views: {} },
    )!;
    const values = { seats: Number.NaN };
    expect(mergeDraft(room, { opened: { seats: null }, values, stored: { seats: 3 } })).toMatchObject({
      values,
      asked: ['seats'],
    });
  });

  it('compares a list of lines as one field', () => {
    const order = { items: [{ id: 1 }, { id: 2 }], notes: '' };
    const lines = edited<typeof order, typeof order>(order, {
      draftOf: (stored) => stored,
      views: {},
    })!;
    const mine = { items: [{ id: 1 }], notes: '' };
    const stored = { items: [{ id: 1 }, { id: 2 }, { id: 3 }], notes: 'Soon' };
    expect(mergeDraft(lines, { opened: order, values: mine, stored })).toMatchObject({
      followed: ['notes'],
      asked: ['items'],
      values: { ...mine, notes: 'Soon' },
    });
  });

  it('leaves what was wrong in the record already, until it is touched', () => {
    const problemsOf = ({ role, name }: Draft) => ({
      ...(role === 'counter' && { role: 'REQUIRED' as const }),
      ...(name === '' && { name: 'REQUIRED' as const }),
    });
    expect(problemsOfChange(edit, seen, draft(), problemsOf)).toEqual({});
    expect(problemsOfChange(edit, seen, draft({ name: '' }), problemsOf)).toEqual({
      name: 'REQUIRED',
    });
    expect(problemsOfChange(edit, { ...seen, role: 'admin' }, draft(), problemsOf)).toEqual({
      role: 'REQUIRED',
    });
  });

  it('knows a record that is older', () => {
    expect(isOlder({ updated_at: '2026-02-01T00:00:00.000Z' }, seen)).toBe(true);
    expect(isOlder(seen, seen)).toBe(false);
  });
});

it('a new record has none that others could change', () => {
  expect(edited<Person, Draft>('new', { draftOf: () => draft(), views: {} })).toBeUndefined();
});

describe('a picture of a record', () => {
  interface Pictured {
    image_url: string | null;
    picture: File | null;
  }
  const stored = { image_url: '/uploads/1/old.webp' };
  const pictured = edited<{ image_url: string | null }, Pictured>(stored, {
    draftOf: ({ image_url }) => ({ image_url, picture: null }),
    bodyOf: ({ image_url }) => ({ image_url }),
    views: { image_url: { label: 'Picture', picture: { file: 'picture' } } },
  })!;
  const mine = { image_url: null, picture: new File(['me'], 'mine.png') };
  const theirs = { image_url: '/uploads/1/theirs.webp' };

  it('is asked where one was chosen and somebody else has stored another', () => {
    for (const before of [stored, { image_url: null }]) {
      const merged = mergeDraft(pictured, { opened: before, values: mine, stored: theirs });
      expect([merged.asked, merged.followed]).toEqual([['image_url'], []]);
      expect(merged.values.picture).toBe(mine.picture);
    }
  });

  it('is not uploaded once the stored one was taken', () => {
    const settle = (isMine: boolean) =>
      settleField(pictured, { opened: stored, values: mine, stored: theirs }, { field: 'image_url', isMine }).values;
    expect(settle(false)).toEqual({ ...theirs, picture: null });
    expect(settle(true)).toEqual(mine);
  });
});
