import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pastTreatment } from '#domain/order/past-treatments.ts';
import { patientProblems } from '#domain/patient/draft.ts';
import { beforeAnyUpdate, mergeFields, mergePatient } from '#domain/patient/patient.ts';
import type { Patient, PatientUpdate } from '#domain/patient/patient.ts';
import { reducePatient } from '#domain/patient/operations.ts';
import type { PatientOperation } from '#domain/patient/operations.ts';
import type { FullPatientResource } from '#domain/patient/resources.ts';
import { detailsKeys, patientKeys, patientTerms } from '#domain/patient/search.ts';
import { reduceOrder } from '#domain/order/operations.ts';
import { blankRecipient, statedRecipientProblems } from '#domain/tax/recipient.ts';
import { history } from './arbitraries.ts';

/** @param from the device and its sequence; a call over REST if omitted */
const said = (
  atMs: number,
  name: string,
  phone?: string,
  [deviceId, deviceSeq]: readonly [number, number] = [3, 0],
): PatientUpdate => ({
  id: 'p',
  name,
  phone,
  at: { atMs, deviceId, deviceSeq },
});
const after = (...words: PatientUpdate[]) => words.reduce<Patient | null>(mergePatient, null)!;

describe('updates of a patient', () => {
  test('keep the later name and phone, in any order of arrival', () => {
    const [first, second] = [said(1000, 'Nuria Campos', '600'), said(2000, 'Núria Campos i Roig', '611')];
    for (const patient of [after(first, second), after(second, first)])
      expect(patient).toMatchObject({ name: 'Núria Campos i Roig', phone: '611' });
  });

  test('keep separate times for name and phone, and leave the phone unchanged when they contain none', () => {
    const words = [said(1000, 'Ana', '600'), said(3000, 'Ana Ruiz'), said(2000, 'Anna', '611')];
    expect(after(...words)).toMatchObject({
      name: 'Ana Ruiz',
      nameAt: { atMs: 3000 },
      phone: '611',
      phoneAt: { atMs: 2000 },
    });
    expect(after(said(1000, 'Ana', '600'), said(2000, 'Ana', '')).phone).toBe('');
  });

  test('change no known patient when they are repeated, and create an unknown one', () => {
    const known = after(said(1000, 'Ana Ruiz', '600'));
    const repeated = (phone: string): PatientUpdate => ({ ...said(0, 'Ana', phone), at: beforeAnyUpdate });
    expect(mergePatient(known, repeated(''))).toBe(known);
    expect(after(repeated('5'), said(1000, 'Ana Ruiz', '600'))).toMatchObject({
      name: 'Ana Ruiz',
      phone: '600',
    });
  });

  test('lead to the same patient in every order of arrival', () => {
    const word = fc.record({
      id: fc.constant('p'),
      name: fc.constantFrom('A', 'B', 'C'),
      phone: fc.constantFrom(undefined, '', '1', '2'),
      at: fc.record({
        atMs: fc.integer({ min: 0, max: 4 }),
        deviceId: fc.integer({ min: 0, max: 2 }),
        deviceSeq: fc.constant(0),
      }),
    });
    const shuffled = fc
      .array(word, { minLength: 1, maxLength: 6 })
      .chain((words) => fc.tuple(fc.constant(words), fc.shuffledSubarray(words, { minLength: words.length })));
    fc.assert(
      fc.property(shuffled, ([words, others]) => {
        expect(after(...others)).toEqual(after(...words));
        expect(after(...words, ...words)).toEqual(after(...words));
      }),
      { seed: 20_260_512, numRuns: 500 },
    );
  });

  test('SYNC-11 of one device apply in its own order, though its clock was set back', () => {
    const [first, second] = [said(2000, 'Ana', '600', [3, 7]), said(1000, 'Anna', '611', [3, 8])];
    for (const patient of [after(first, second), after(second, first)])
      expect(patient).toMatchObject({ name: 'Anna', phone: '611' });
    const other = said(1500, 'Nobody', '1', [4, 90]);
    const inItsOrder = [
      [first, second, other],
      [first, other, second],
      [other, first, second],
    ];
    for (const updates of inItsOrder) expect(after(...updates)).toMatchObject({ name: 'Anna', phone: '611' });
    expect(after(first, second, said(2001, 'Nobody', '1', [4, 90]))).toMatchObject({ name: 'Nobody' });
  });

  test('SYNC-11 of one instant that of the device with the higher id applies, whatever the texts', () => {
    const [low, high] = [said(1000, 'Zoe', '9', [3, 9]), said(1000, 'Ana', '1', [4, 2])];
    for (const patient of [after(low, high), after(high, low)])
      expect(patient).toMatchObject({ name: 'Ana', phone: '1' });
  });

  test('require only a name of at least 3 characters in a form', () => {
    expect(patientProblems({ name: ' Al ', phone: '' })).toEqual({ name: 'PERSON_NAME_SHORT' });
    expect(patientProblems({ name: 'Ali', phone: '' })).toEqual({});
    expect(patientProblems({ name: 'x'.repeat(201), phone: '1'.repeat(41) })).toEqual({
      name: 'TOO_LONG',
      phone: 'TOO_LONG',
    });
  });
});

describe('updates of single fields', () => {
  const recipient = { name: 'Ana', tax_id: '12345678Z', address: 'Sol 2', postal_code: '28013', city: 'Madrid' };
  const reordered = { city: 'Madrid', postal_code: '28013', address: 'Sol 2', tax_id: '12345678Z', name: 'Ana' };
  const ana = after(said(1000, 'Ana Ruiz', '600'));
  const at = (atMs: number) => ({ atMs, deviceId: 3, deviceSeq: 0 });

  test('keep the later value of each field, and leave the others', () => {
    const updates = [
      { id: 'p', at: at(3000), email: 'ana@example.com' },
      { id: 'p', at: at(2000), email: 'old@example.com', notes: 'Calls first', recipient },
      { id: 'p', at: at(4000), recipient: null },
    ];
    for (const order of [updates, [...updates].reverse()])
      expect(order.reduce(mergeFields, ana)).toMatchObject({
        name: 'Ana Ruiz',
        phone: '600',
        email: 'ana@example.com',
        notes: 'Calls first',
        recipient: null,
      });
  });

  test('change nothing when they state nothing new, whatever the order of a recipient’s keys', () => {
    const known = mergeFields(ana, { id: 'p', at: at(2000), recipient });
    expect(mergeFields(known, { id: 'p', at: at(2000), recipient: reordered })).toBe(known);
    expect(mergeFields(known, { id: 'p', at: at(500), notes: undefined, phone: 'earlier' })).toBe(known);
  });

  test('are replayed over the patient of a tablet, and leave an erased one erased', () => {
    const update = (payload: object) => ({ kind: 'patient.update', payload }) as PatientOperation;
    const renamed = update({ patient: { patient_id: 'p', name: 'Anna' }, email: 'a@b.es', recipient });
    const noted = update({ patient: { patient_id: 'p', name: 'Ana Ruiz', known: true }, phone: '', notes: 'x' });
    const server: FullPatientResource = {
      id: 'p',
      name: 'Ana Ruiz',
      phone: '600',
      email: '',
      notes: '',
      recipient: null,
    };
    expect([renamed, noted].reduce((known, one) => reducePatient(known, one, 0)!, server)).toEqual({
      id: 'p',
      name: 'Anna',
      phone: '',
      email: 'a@b.es',
      notes: 'x',
      recipient,
    });
    expect(reducePatient(null, noted, 0)).toMatchObject({ name: 'Ana Ruiz', notes: 'x', email: '' });
    const erased = { ...server, name: '', phone: '', erased_at: '2026-05-12T10:00:00Z' };
    expect(reducePatient(erased, renamed, 0)).toBe(erased);
  });

  test('are refused by a form for what is wrong, not for what is missing', () => {
    const draft = { name: 'Ana Ruiz', phone: '' };
    expect(patientProblems({ ...draft, recipient: { ...blankRecipient, address: 'Sol 2' } })).toEqual({});
    expect(patientProblems({ ...draft, email: 'ana', notes: 'x'.repeat(2001) })).toEqual({
      email: 'EMAIL_INVALID',
      notes: 'TOO_LONG',
    });
    expect(patientProblems({ ...draft, email: `${'x'.repeat(250)}@b.es` })).toEqual({ email: 'TOO_LONG' });
    for (const wrong of [{ tax_id: '12345678A' }, { postal_code: '99999' }, { address: 'x'.repeat(201) }])
      expect(patientProblems({ ...draft, recipient: { ...recipient, ...wrong } })).toHaveProperty('recipient');
    expect(statedRecipientProblems({ ...blankRecipient, tax_id: 'AB1', id_type: '03', country: '' })).toEqual({
      country: 'COUNTRY_REQUIRED',
    });
    expect(statedRecipientProblems({ ...blankRecipient, id_type: '03', country: '' })).toEqual({});
  });
});

describe('searching the details of patients', () => {
  const keys = detailsKeys({ email: 'Ana.Ruiz@Example.com', recipient: { ...blankRecipient, tax_id: 'X1234567L' } });
  const finds = (text: string) => patientTerms(text).every((term) => keys.some((key) => key.startsWith(term)));
  test.each(['ana.ruiz@ex', 'ANA', 'ruiz', 'x1234567l', 'X-1234567-L', 'x123'])('finds by “%s”', (text) => {
    expect(finds(text)).toBe(true);
  });
  test.each(['example', 'com', '@', 'uiz', '1234567'])('does not find by “%s”', (text) => {
    expect(finds(text)).toBe(false);
  });
  test('finds a NIF by its digits', () => {
    expect(detailsKeys({ email: '', recipient: { ...blankRecipient, tax_id: '12345678Z' } })).toEqual(['12345678z']);
    expect(patientTerms('12345678')).toEqual(['12345678']);
    expect(detailsKeys({ email: '', recipient: null })).toEqual([]);
  });
});

describe('searching patients', () => {
  const finds = (text: string, patient: { name: string; phone: string }) => {
    const terms = patientTerms(text);
    return terms.length > 0 && terms.every((term) => patientKeys(patient).some((key) => key.startsWith(term)));
  };
  const nuria = { name: 'Núria  Peña-Solé García', phone: '+34 612 48 01 57' };

  test.each([
    'nur',
    'NÚR',
    'garcia',
    'Peña',
    'Sole',
    'pena-so',
    'gar nu',
    '612',
    '+34 612',
    '34612480157',
    '612-48',
    '0157',
    '480 1',
  ])('finds the patient by “%s”', (text) => {
    expect(finds(text, nuria)).toBe(true);
  });
  test.each(['', ' ', 'uria', 'nur x', '613', '157', '()', 'nur 613'])('does not find the patient by “%s”', (text) => {
    expect(finds(text, nuria)).toBe(false);
  });
  test('finds a short phone number by its beginning, and stores no key without a phone number', () => {
    expect(finds('11', { name: 'Ana', phone: '112' })).toBe(true);
    expect(patientKeys({ name: 'Ana', phone: '' })).toEqual(['ana']);
  });
});

test('a treatment stores its patient, and the patient’s history names its services', () => {
  const [creation] = fc.sample(history, { numRuns: 1, seed: 7 })[0]!;
  if (creation?.kind !== 'order.create') throw new Error('A history begins with a creation.');
  const patient = { patient_id: '019e1ba1-0d00-7000-8000-000000000009', name: 'Ana', known: true };
  const order = reduceOrder(null, { ...creation, payload: { ...creation.payload, patient } }, 5)!;
  expect(order.patientId).toBe(patient.patient_id);
  expect(reduceOrder(null, creation, 5)!.patientId).toBeNull();
  expect(pastTreatment(order)).toMatchObject({
    status: 'confirmed',
    created_at: '1970-01-01T00:00:00.005Z',
    services: order.lines.map(({ name }) => name),
  });
});
