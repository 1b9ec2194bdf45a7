import { expect, test } from 'vitest';
import { doneSteps } from '#domain/settings/setup.ts';
import type { SetupFacts } from '#domain/settings/setup.ts';
import { defaultSettings } from '#domain/settings/settings.ts';

const fresh: SetupFacts = { settings: defaultSettings, services: 0, staff: 1, drawers: 0 };
const done = (over: Partial<SetupFacts>, settings: object = {}) => [
  ...(doneSteps({ ...fresh, ...over, settings: { ...defaultSettings, ...settings } }) ?? ['unknown']),
];

test('nothing of a new clinic is done, whatever was skipped', () => {
  expect(done({})).toEqual([]);
  expect(done({}, { setup_finished: true })).toEqual([]);
  expect(done({ staff: undefined })).toEqual(['unknown']);
});

test('a step is done by what there is', () => {
  expect(done({}, { practice_name: 'Clínica Sol' })).toEqual([]);
  expect(done({}, { practice_name: 'Clínica Sol', address: 'Calle Mayor 1' })).toEqual(['clinic']);
  expect(done({ services: 1, staff: 2, drawers: 1 })).toEqual(['services', 'staff', 'drawer']);
});

test('a clinic in Spain states its tax; one elsewhere need not', () => {
  expect(done({}, { tax_profile: 'ES' })).toEqual(['money']);
  expect(done({}, { tax_note: 'Exento de IVA' })).toEqual(['money']);
  expect(done({}, { time_zone: 'Europe/Lisbon' })).toEqual(['money']);
  expect(done({}, { currency: 'GBP' })).toEqual(['money']);
});
