import { describe, expect, test } from 'vitest';
import { problemMessages } from '#domain/problems.ts';
import { roomProblems } from '#domain/room/draft.ts';
import { decideRemoval, decideStatus, byLocation, roomStatus } from '#domain/room/room.ts';

const free = { isOccupied: false, treatments: 0 };
const byHand = { isOccupied: true, treatments: 0 };
const inUse = { isOccupied: false, treatments: 2 };
const refused = (code: string) => ({ ok: false, refusal: { code } });

describe('a room', () => {
  test('is occupied when it is marked or an open treatment names it', () => {
    expect([free, byHand, inUse, { isOccupied: true, treatments: 1 }].map(roomStatus)).toEqual([
      'available',
      'occupied',
      'occupied',
      'occupied',
    ]);
  });

  test('can be marked and cleared by hand, but not cleared during a treatment', () => {
    expect(decideStatus(free, 'occupied')).toEqual({ ok: true, value: true });
    expect(decideStatus(byHand, 'available')).toEqual({ ok: true, value: false });
    expect(decideStatus(inUse, 'available')).toEqual(refused('ROOM_IN_USE'));
    expect(decideStatus({ isOccupied: true, treatments: 1 }, 'available')).toEqual(refused('ROOM_IN_USE'));
  });

  test('is not marked when it is already occupied by a treatment', () => {
    expect(decideStatus(inUse, 'occupied')).toEqual({ ok: true, value: false });
    expect(decideStatus(byHand, 'occupied')).toEqual({ ok: true, value: true });
    expect(decideStatus(free, 'available')).toEqual({ ok: true, value: false });
  });

  test('cannot be deleted while it is occupied', () => {
    expect(decideRemoval(free)).toEqual({ ok: true, value: null });
    for (const state of [byHand, inUse]) expect(decideRemoval(state)).toEqual(refused('ROOM_OCCUPIED'));
  });
});

describe('the form of a room', () => {
  const sound = { number: '1', capacity: 1, location: '' };
  const said = (over: Partial<typeof sound>) => problemMessages(roomProblems({ ...sound, ...over }));

  test('needs a number and 1 to 20 whole seats', () => {
    expect([said({}), said({ number: 'x'.repeat(60), capacity: 20, location: 'Ground floor' })]).toEqual([{}, {}]);
    for (const number of ['', '  ']) expect(said({ number })).toEqual({ number: 'Table number is required' });
    for (const capacity of [0, -3, NaN])
      expect(said({ capacity })).toEqual({ capacity: 'Table must have at least 1 seat' });
    for (const capacity of [21, 20.5, Infinity])
      expect(said({ capacity })).toEqual({ capacity: 'Maximum 20 seats per table' });
    expect(said({ capacity: 2.5 })).toEqual({ capacity: 'Enter a whole number' });
    expect(said({ number: 'x'.repeat(61), location: 'x'.repeat(101) })).toEqual({
      number: 'This text is too long',
      location: 'This text is too long',
    });
  });
});

describe('rooms by location', () => {
  test('sort by number, and rooms without a location come last', () => {
    const room = (location: string, number: string) => ({ location, number });
    const rooms = [
      room('', '7'),
      room('Upstairs', 'X-ray'),
      room('Upstairs', '10'),
      room('Ground', '2'),
      room('Upstairs', '9'),
      room('Upstairs', 'Surgery'),
      room('Upstairs', '9b'),
    ];
    expect(
      byLocation(rooms).map(({ location, rooms: placed }) => [location, placed.map(({ number }) => number)]),
    ).toEqual([
      ['Ground', ['2']],
      ['Upstairs', ['9', '9b', '10', 'Surgery', 'X-ray']],
      ['', ['7']],
    ]);
  });
});
