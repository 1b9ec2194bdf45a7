import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { renderToString } from 'react-dom/server';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { defaultSettings } from '#domain/settings/settings.ts';
import english from '#locales/en.json' with { type: 'json' };
import type { LocalDrawer } from '#src/db/queries/drawers.ts';
import { MovementDialog } from '#src/features/drawer/movement-dialog.tsx';
import { OvertakenCount } from '#src/features/drawer/overtaken.tsx';
import { Themed } from '#src/ui/themed.tsx';

// The device's database listens for the end of its page.
vi.hoisted(() => vi.stubGlobal('addEventListener', () => undefined));
beforeEach(() => vi.stubGlobal('matchMedia', () => ({ matches: false })));

// A page that is drawn without a browser has no database to read them from.
vi.mock('#src/local-data/use-clinic-settings.ts', () => ({
  useKnownSettings: () => defaultSettings,
  useClinicSettings: () => defaultSettings,
  useCurrency: () => defaultSettings.currency,
}));

beforeAll(async () => {
  await i18next
    .use(initReactI18next)
    .init({ lng: 'en', resources: { en: { translation: english } }, interpolation: { escapeValue: false } });
});

const closed: LocalDrawer = {
  id: 'd1',
  deviceId: 1,
  deviceCode: 'A1',
  devices: [],
  currency: 'EUR',
  floatMinor: 5000,
  openedAtMs: Date.parse('2026-03-02T08:00:00Z'),
  openedBy: 1,
  movements: [],
  close: {
    atMs: Date.parse('2026-03-02T18:00:00Z'),
    actorId: 2,
    counted: { cash: 12345, card: 0, insurance: 0, others: 0 },
    notes: '',
  },
  people: { 2: 'Bo Berg' },
  unsent: false,
  closedOnServer: true,
};
const nothing = () => undefined;
const no = async () => false;
const actions = { pending: false, move: no, close: no };
const buttonsOf = (html: string) => [...html.matchAll(/<button[^>]*>/g)];

test('a count whose drawer another person closed stays in sight beside the stored one', () => {
  const amounts = { cash: '120,5', card: '', insurance: '', others: '' };
  const count = { drawerId: 'd1', amounts, pieces: { 5000: '2', 100: '' }, notes: 'Torn note' };
  const html = renderToString(
    <Themed>
      <OvertakenCount drawer={closed} count={count} onClose={nothing} />
    </Themed>,
  );
  for (const told of ['Bo Berg', '123,45', '120,5', '50,00 × 2', 'Torn note']) expect(html).toContain(told);
  expect(buttonsOf(html)).toHaveLength(1);
});

test('a movement of a drawer that another person closed says who closed it, and can only be closed', () => {
  const dialog = (drawer: LocalDrawer) =>
    renderToString(
      <Themed>
        <MovementDialog drawer={drawer} direction="out" actions={actions} onClose={nothing} />
      </Themed>,
    );
  const html = dialog(closed);
  expect(html).toContain('Bo Berg');
  expect(html).not.toContain('type="submit"');
  expect(html.match(/readonly/gi)).toHaveLength(2);
  expect(dialog({ ...closed, close: null })).toContain('type="submit"');
});
