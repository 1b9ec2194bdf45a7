/** The catalogue of the demo clinic. Prices and costs are major units of its currency. */

export const demoCategories = [
  { name: 'Preventive care', color: '#1c8a7f', description: 'Check-ups, cleaning and protection' },
  { name: 'Diagnosis & imaging', color: '#2f7fc4', description: 'Consultations, X-rays and scans' },
  { name: 'Restorative', color: '#c46c1f', description: 'Fillings, crowns and bridges' },
  { name: 'Endodontics', color: '#cf5148', description: 'Root canal treatment' },
  { name: 'Surgery & implants', color: '#9465c9', description: 'Extractions, implants and grafts' },
  { name: 'Cosmetic & orthodontics', color: '#c9549d', description: 'Whitening, veneers and aligners' },
  { name: 'Clinical supplies', color: '#6b7d92', description: 'What the surgery uses up' },
  { name: 'Home care', color: '#4a8f3c', description: 'What patients take home' },
] as const;
export type DemoCategory = (typeof demoCategories)[number]['name'];

export interface DemoItem {
  name: string;
  category: DemoCategory;
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

const service = (category: DemoCategory, name: string, price: number): DemoItem => ({
  name,
  category,
  price,
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
  price,
  isStocked: true,
  isSold: false,
  barcode: null,
  ...shelf,
});

const retail = (name: string, price: number, opening: number, barcode: string): DemoItem => ({
  name,
  category: 'Home care',
  price,
  unit: 'pcs',
  opening,
  threshold: 12,
  weeklyUse: 0,
  supplier: 'Oralia Retail',
  isStocked: true,
  isSold: true,
  barcode,
});

export const demoItems: readonly DemoItem[] = [
  service('Preventive care', 'Dental check-up', 35),
  service('Preventive care', 'Dental cleaning', 60),
  service('Preventive care', 'Deep cleaning, per quadrant', 85),
  service('Preventive care', 'Fluoride varnish', 30),
  service('Preventive care', 'Fissure sealant, per tooth', 32),
  service('Preventive care', "Children's check-up", 25),
  service('Preventive care', 'Periodontal maintenance', 70),
  service('Diagnosis & imaging', 'First consultation', 40),
  service('Diagnosis & imaging', 'Emergency consultation', 55),
  service('Diagnosis & imaging', 'Intraoral X-ray', 18),
  service('Diagnosis & imaging', 'Panoramic X-ray', 45),
  service('Diagnosis & imaging', '3D scan (CBCT)', 110),
  service('Diagnosis & imaging', 'Digital impression', 75),
  service('Restorative', 'Composite filling, one surface', 65),
  service('Restorative', 'Composite filling, two surfaces', 85),
  service('Restorative', 'Composite filling, three surfaces', 105),
  service('Restorative', 'Temporary filling', 35),
  service('Restorative', 'Ceramic crown', 420),
  service('Restorative', 'Zirconia crown', 520),
  service('Restorative', 'Bridge, per unit', 390),
  service('Restorative', 'Inlay', 260),
  service('Endodontics', 'Root canal, front tooth', 190),
  service('Endodontics', 'Root canal, premolar', 240),
  service('Endodontics', 'Root canal, molar', 310),
  service('Endodontics', 'Root canal retreatment', 360),
  service('Surgery & implants', 'Simple extraction', 70),
  service('Surgery & implants', 'Surgical extraction', 150),
  service('Surgery & implants', 'Wisdom tooth extraction', 180),
  service('Surgery & implants', 'Titanium implant', 950),
  service('Surgery & implants', 'Bone graft', 380),
  service('Cosmetic & orthodontics', 'Teeth whitening, in clinic', 280),
  service('Cosmetic & orthodontics', 'Teeth whitening, at home', 190),
  service('Cosmetic & orthodontics', 'Porcelain veneer', 450),
  service('Cosmetic & orthodontics', 'Clear aligners, monthly', 120),
  service('Cosmetic & orthodontics', 'Brace adjustment', 50),
  service('Cosmetic & orthodontics', 'Retainer', 140),

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

  retail('Soft toothbrush', 3.9, 140, '8412345600012'),
  retail('Electric toothbrush head', 8.5, 90, '8412345600029'),
  retail('Interdental brushes', 5.2, 110, '8412345600036'),
  retail('Dental floss', 3.5, 120, '8412345600043'),
  retail('Fluoride toothpaste', 4.6, 130, '8412345600050'),
  retail('Mouthwash 500 ml', 6.9, 100, '8412345600067'),
  retail('Chlorhexidine gel', 7.8, 80, '8412345600074'),
  retail('Orthodontic wax', 2.9, 90, '8412345600081'),
  retail('Denture cleaning tablets', 5.9, 70, '8412345600098'),
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
  category: DemoCategory;
  price: number;
  barcode: string;
  ingredients: Record<string, number>;
}

export const demoProducts: readonly DemoProduct[] = [
  {
    name: 'Home care kit',
    description: 'Brush, paste and floss',
    category: 'Home care',
    price: 10.9,
    barcode: '8412345601019',
    ingredients: { 'Soft toothbrush': 1, 'Fluoride toothpaste': 1, 'Dental floss': 1 },
  },
  {
    name: 'After-surgery kit',
    description: 'Gel, soft brush and mouthwash',
    category: 'Home care',
    price: 17.5,
    barcode: '8412345601026',
    ingredients: { 'Chlorhexidine gel': 1, 'Soft toothbrush': 1, 'Mouthwash 500 ml': 1 },
  },
  {
    name: 'Brace care kit',
    description: 'Wax and interdental brushes',
    category: 'Home care',
    price: 12.5,
    barcode: '8412345601033',
    ingredients: { 'Orthodontic wax': 2, 'Interdental brushes': 1, 'Soft toothbrush': 1 },
  },
  {
    name: 'Filling with anaesthesia',
    description: 'One surface, with local anaesthetic',
    category: 'Restorative',
    price: 79,
    barcode: '8412345601040',
    ingredients: { 'Composite syringe A2': 0.1, 'Articaine 4 % cartridges': 1, 'Dental needles 30G': 1 },
  },
];
