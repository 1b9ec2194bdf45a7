import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pastTreatment } from '#domain/order/past-treatments.ts';
import { mergePatient, patientProblems, beforeAnyUpdate } from '#domain/patient/patient.ts';
import type { Patient, PatientUpdate } from '#domain/patient/patient.ts';
import { patientKeys, patientTerms } from '#domain/patient/search.ts';
import { reduceOrder } from '#domain/order/operations.ts';
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
