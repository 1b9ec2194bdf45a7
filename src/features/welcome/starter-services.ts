/** A list to begin with: what nearly every dental clinic offers, with prices to be changed. */
import type english from '../../../locales/en.json';

type StarterName = keyof typeof english.welcome.starter.services;
type StarterCategory = keyof typeof english.welcome.starter.categories;

export const starterServices: readonly { name: StarterName; category: StarterCategory; price: number }[] = [
  { name: 'firstVisit', category: 'checkUps', price: 30 },
  { name: 'checkUp', category: 'checkUps', price: 25 },
  { name: 'xray', category: 'checkUps', price: 20 },
  { name: 'panoramic', category: 'checkUps', price: 45 },
  { name: 'cleaning', category: 'hygiene', price: 55 },
  { name: 'fluoride', category: 'hygiene', price: 30 },
  { name: 'filling', category: 'fillings', price: 60 },
  { name: 'largeFilling', category: 'fillings', price: 85 },
  { name: 'rootCanal', category: 'fillings', price: 180 },
  { name: 'extraction', category: 'surgery', price: 60 },
  { name: 'wisdomTooth', category: 'surgery', price: 120 },
  { name: 'whitening', category: 'cosmetic', price: 250 },
];

/** A row of the list, with texts in the clinic's language. */
export interface StarterRow {
  name: string;
  category: string;
  price: number;
  chosen: boolean;
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** Returns the rows as the file that the stock's import takes: services that are not stocked. */
export function importFile(rows: readonly StarterRow[]): string {
  const lines = rows.map(({ name, category, price }) =>
    [quoted(name), quoted(category), '', '', String(price), 'false'].join(','),
  );
  return ['name,category,supplier,supplier_contact,cost_per_unit,is_stocked', ...lines].join('\n');
}
