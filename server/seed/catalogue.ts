/**
 * The catalogue of the demo clinic: the services and goods of the starter list, with supplies and kits. Prices and costs are
 * major units of its currency.
 */
import { defaultTaxCode } from '#domain/tax/codes.ts';
import type { TaxCode } from '#domain/tax/codes.ts';
import type { Drawing } from '#domain/stock/pictures.ts';
import { starterCategories, starterServices } from '#domain/stock/starter.ts';
import type { StarterCategory, StarterService } from '#domain/stock/starter.ts';
import { starterTexts } from '../modules/stock/service.ts';

const english = starterTexts('en');

const categoryOf = (key: StarterCategory) => ({ ...english.categories[key], color: starterCategories[key] });
const { homeCare: _homeCare, ...ofServices } = starterCategories;

export const demoCategories: readonly { name: string; color: string; description: string }[] = [
  ...(Object.keys(ofServices) as StarterCategory[]).map(categoryOf),
  { name: 'Clinical supplies', color: '#6b7d92', description: 'What the surgery uses up' },
  categoryOf('homeCare'),
];

export interface DemoItem {
  name: string;
  category: string;
  /** Absent of what shows no picture. */
  drawing?: Drawing;
  tax: TaxCode;
  price: number;
  unit: string;
  /** The quantity when the demo's history begins. */
  opening: number;
  threshold: number;
  /** The weekly use apart from sales. */
  weeklyUse: number;
  supplier: string;
  /** False for a service: what the clinic does itself. */
  isStocked: boolean;
  isSold: boolean;
  barcode: string | null;
}

const textsOf = ({ key, category }: StarterService) => ({
  name: english.services[key]!,
  category: english.categories[category].name,
});

const service = (starter: StarterService): DemoItem => ({
  ...textsOf(starter),
  drawing: starter.drawing,
  tax: starter.tax,
  price: starter.price,
  unit: 'units',
  opening: 0,
  threshold: 0,
  weeklyUse: 0,
  supplier: '',
  isStocked: false,
  isSold: true,
  barcode: null,
});

const supply = (
  name: string,
  price: number,
  shelf: Pick<DemoItem, 'unit' | 'opening' | 'threshold' | 'weeklyUse' | 'supplier'> & { barcode?: string },
): DemoItem => ({
  name,
  category: 'Clinical supplies',
  tax: defaultTaxCode,
  price,
  isStocked: true,
  isSold: false,
  barcode: null,
  ...shelf,
});

/** Of each of the goods the opening quantity and the barcode. */
const shelf: Readonly<Record<string, readonly [opening: number, barcode: string]>> = {
  softBrush: [140, '8412345600012'],
  brushHead: [90, '8412345600029'],
  interdental: [110, '8412345600036'],
  floss: [120, '8412345600043'],
  toothpaste: [130, '8412345600050'],
  mouthwash: [100, '8412345600067'],
  chlorhexidine: [80, '8412345600074'],
  wax: [90, '8412345600081'],
  tablets: [70, '8412345600098'],
};

function retail(starter: StarterService): DemoItem {
  const [opening, barcode] = shelf[starter.key]!;
  const kept = { unit: 'pcs', opening, threshold: 12, supplier: 'Oralia Retail', isStocked: true, barcode };
  return { ...service(starter), ...kept };
}

const isGoods = ({ category }: StarterService): boolean => category === 'homeCare';

export const demoItems: readonly DemoItem[] = [
  ...starterServices.filter((starter) => !isGoods(starter)).map(service),

  supply('Nitrile gloves M', 9.5, {
    weeklyUse: 12,
    unit: 'boxes',
    opening: 60,
    threshold: 15,
    supplier: 'Henara Dental',
    barcode: '8436012340017',
  }),
  supply('Nitrile gloves S', 9.5, {
    weeklyUse: 5,
    unit: 'boxes',
    opening: 40,
    threshold: 15,
    supplier: 'Henara Dental',
    barcode: '8436012340024',
  }),
  supply('Surgical masks', 6.2, {
    weeklyUse: 7,
    unit: 'boxes',
    opening: 45,
    threshold: 10,
    supplier: 'Henara Dental',
    barcode: '8436012340031',
  }),
  supply('Articaine 4 % cartridges', 0.85, {
    weeklyUse: 60,
    unit: 'cartridges',
    opening: 400,
    threshold: 100,
    supplier: 'Farmadent',
  }),
  supply('Dental needles 30G', 0.22, {
    weeklyUse: 80,
    unit: 'needles',
    opening: 500,
    threshold: 100,
    supplier: 'Farmadent',
  }),
  supply('Composite syringe A2', 32, {
    weeklyUse: 3,
    unit: 'syringes',
    opening: 18,
    threshold: 6,
    supplier: 'Composa',
  }),
  supply('Composite syringe A3', 32, {
    weeklyUse: 2,
    unit: 'syringes',
    opening: 14,
    threshold: 6,
    supplier: 'Composa',
  }),
  supply('Bonding agent', 68, { weeklyUse: 1, unit: 'bottles', opening: 8, threshold: 3, supplier: 'Composa' }),
  supply('Etching gel', 12.4, { weeklyUse: 4, unit: 'syringes', opening: 16, threshold: 5, supplier: 'Composa' }),
  supply('Endodontic files, assorted', 24, {
    weeklyUse: 3,
    unit: 'packets',
    opening: 20,
    threshold: 6,
    supplier: 'Farmadent',
  }),
  supply('Cotton rolls', 4.8, { weeklyUse: 4, unit: 'bags', opening: 30, threshold: 8, supplier: 'Henara Dental' }),
  supply('Saliva ejectors', 5.5, { weeklyUse: 6, unit: 'bags', opening: 24, threshold: 8, supplier: 'Henara Dental' }),
  supply('Sterilisation pouches', 11, {
    weeklyUse: 3,
    unit: 'boxes',
    opening: 22,
    threshold: 6,
    supplier: 'Henara Dental',
  }),
  supply('Sutures 4-0', 2.6, { weeklyUse: 8, unit: 'sutures', opening: 60, threshold: 20, supplier: 'Farmadent' }),
  supply('Alginate', 14.9, { weeklyUse: 2, unit: 'packets', opening: 15, threshold: 5, supplier: 'Composa' }),

  ...starterServices.filter(isGoods).map(retail),
];

/** What the clinic has put first at its counter. */
const favourites = new Set([
  '3D scan (CBCT)',
  'Composite filling, one surface',
  'Deep cleaning, per quadrant',
  'Dental check-up',
  'Dental cleaning',
  'Digital impression',
  'First consultation',
  'Intraoral X-ray',
]);
export const isDemoFavourite = (item: string): boolean => favourites.has(item);

export interface DemoProduct {
  name: string;
  description: string;
  category: string;
  drawing: Drawing;
  price: number;
  barcode: string;
  ingredients: Record<string, number>;
}

export const demoProducts: readonly DemoProduct[] = [
  {
    name: 'Home care kit',
    description: 'Brush, paste and floss',
    category: 'Home care',
    drawing: 'bag',
    price: 10.9,
    barcode: '8412345601019',
    ingredients: { 'Soft toothbrush': 1, 'Fluoride toothpaste': 1, 'Dental floss': 1 },
  },
  {
    name: 'After-surgery kit',
    description: 'Gel, soft brush and mouthwash',
    category: 'Home care',
    drawing: 'bag',
    price: 17.5,
    barcode: '8412345601026',
    ingredients: { 'Chlorhexidine gel': 1, 'Soft toothbrush': 1, 'Mouthwash 500 ml': 1 },
  },
  {
    name: 'Brace care kit',
    description: 'Wax and interdental brushes',
    category: 'Home care',
    drawing: 'bag',
    price: 12.5,
    barcode: '8412345601033',
    ingredients: { 'Orthodontic wax': 2, 'Interdental brushes': 1, 'Soft toothbrush': 1 },
  },
  {
    name: 'Filling with anaesthesia',
    description: 'One surface, with local anaesthetic',
    category: 'Restorative',
    drawing: 'filled',
    price: 79,
    barcode: '8412345601040',
    ingredients: { 'Composite syringe A2': 0.1, 'Articaine 4 % cartridges': 1, 'Dental needles 30G': 1 },
  },
];
