/** Whoever is refused because something has changed is told what: each field that is compared has its words. */
import { expect, test, vi } from 'vitest';
import { expenseSeen } from '#domain/expense/seen.ts';
import { recordSeen } from '#domain/fiscal/seen.ts';
import { attentionSeen, deviceSeen, sessionSeen } from '#domain/protocol/seen.ts';
import { patientSeen } from '#domain/patient/seen.ts';
import { roomSeen } from '#domain/room/seen.ts';
import { defaultSettings } from '#domain/settings/settings.ts';
import { staffSeen } from '#domain/staff/seen.ts';
import { palette } from '#domain/stock/palette.ts';
import { alertSeen, categorySeen, itemSeen, orderSeen, seenOfService } from '#domain/stock/seen.ts';
import type { ServiceResource } from '#domain/stock/resources.ts';
import { changesOf } from '#src/decisions/changes.ts';
import { usePatientWords } from '#src/features/counter/patients/patient-words.ts';
import { useDeviceWords } from '#src/features/devices/device-words.ts';
import { useExpenseWords } from '#src/features/expenses/expense-words.ts';
import { useRecordWords } from '#src/features/fiscal/record-words.ts';
import { useAttentionWords } from '#src/features/outbox/tray/attention-words.ts';
import { useRoomWords } from '#src/features/rooms/room-words.ts';
import { useStaffWords } from '#src/features/staff/staff-words.ts';
import { useAlertWords } from '#src/features/stock/alerts/alert-words.ts';
import { useCatalogueWords } from '#src/features/stock/catalogue-words.ts';
import { useOrderWords } from '#src/features/stock/purchase-orders/order-words.ts';

vi.mock('react-i18next', () => ({
  initReactI18next: {},
  useTranslation: () => ({ t: (key: string) => key, i18n: { language: 'en' } }),
}));
vi.mock('#src/local-data/use-clinic-settings.ts', () => ({
  useClinicSettings: () => defaultSettings,
  useCurrency: () => defaultSettings.currency,
}));
vi.mock('#src/server-data/catalogue.ts', () => ({ useCategoryChoices: () => [] }));

const serviceSeen = (['product', 'stock'] as const).flatMap((type) =>
  Object.keys(seenOfService({ type } as ServiceResource)),
);

test.each([
  ['an expense', useExpenseWords, expenseSeen],
  ['a fiscal record', useRecordWords, recordSeen],
  ['a patient', usePatientWords, patientSeen],
  ['an attention item', useAttentionWords, attentionSeen],
  ['a device', useDeviceWords, deviceSeen],
  ['a session', useDeviceWords, sessionSeen],
  ['a room', useRoomWords, roomSeen],
  ['a staff member', useStaffWords, staffSeen],
  ['a supply', useCatalogueWords, itemSeen],
  ['a service', useCatalogueWords, serviceSeen],
  ['a category', useCatalogueWords, categorySeen],
  ['a purchase order', useOrderWords, orderSeen],
  ['an alert', useAlertWords, alertSeen],
] as const)('each field of %s that is compared has its words', (_noun, wordsOf, fields) => {
  expect(Object.keys(wordsOf())).toEqual(expect.arrayContaining([...fields]));
});

test('a receipt that was replaced is told as another one', () => {
  const changes = changesOf(useExpenseWords(), { receipt_url: '/one.pdf' }, { receipt_url: '/two.pdf' });
  expect(changes).toEqual([{ label: 'expenses.words.receipt', was: 'decisions.there', now: 'decisions.another' }]);
});

test('a colour is told by its name', () => {
  const changes = changesOf(useCatalogueWords(), { color: palette.teal }, { color: '#123456' });
  expect(changes).toEqual([
    { label: 'categories.fields.colour', was: 'categories.colours.teal', now: 'categories.colours.present' },
  ]);
});
