/**
 * What nearly every dental clinic offers, with usual prices in euros: the list that a new clinic begins with, and the
 * services of the demo. The names, by key, are in `locales/server`.
 */
import { defaultTaxCode } from '../tax/codes.ts';
import type { ItemTaxCode } from '../tax/codes.ts';
import { palette } from './palette.ts';
import type { Drawing } from './pictures.ts';

export const starterCategories = {
  preventive: palette.teal,
  diagnosis: palette.blue,
  restorative: palette.orange,
  endodontics: palette.red,
  surgery: palette.violet,
  cosmetic: palette.pink,
  homeCare: palette.green,
} as const;
export type StarterCategory = keyof typeof starterCategories;

export interface StarterService {
  key: string;
  category: StarterCategory;
  drawing: Drawing;
  /** In major units of the currency. */
  price: number;
  tax: ItemTaxCode;
  /** False of goods and of what fewer clinics have: they are offered unchecked. */
  isUsual: boolean;
}

const service =
  (category: StarterCategory) =>
  (key: string, drawing: Drawing, price: number): StarterService => ({
    key,
    category,
    drawing,
    price,
    tax: defaultTaxCode,
    isUsual: true,
  });
const preventive = service('preventive');
const diagnosis = service('diagnosis');
const restorative = service('restorative');
const endodontics = service('endodontics');
const surgery = service('surgery');
const cosmetic = service('cosmetic');

/** Heals nobody, so it is not exempt (Law 37/1992, article 20.1.5, exempts what cures or prevents). */
const taxed = (item: StarterService): StarterService => ({ ...item, tax: 'standard' });
const seldom = (item: StarterService): StarterService => ({ ...item, isUsual: false });
const goods = (key: string, drawing: Drawing, price: number): StarterService =>
  taxed(seldom(service('homeCare')(key, drawing, price)));

export const starterServices: readonly StarterService[] = [
  preventive('checkUp', 'lens', 35),
  preventive('cleaning', 'clean', 60),
  preventive('deepCleaning', 'gum', 85),
  preventive('fluoride', 'drop', 30),
  preventive('sealant', 'shield', 32),
  preventive('childCheckUp', 'smile', 25),
  seldom(preventive('periodontal', 'gum', 70)),
  diagnosis('firstVisit', 'sheet', 40),
  diagnosis('emergency', 'urgent', 55),
  diagnosis('xray', 'film', 18),
  diagnosis('panoramic', 'wide', 45),
  seldom(diagnosis('scan', 'cube', 110)),
  seldom(diagnosis('impression', 'arch', 75)),
  restorative('fillingOne', 'filled', 65),
  restorative('fillingTwo', 'filled', 85),
  restorative('fillingThree', 'filled', 105),
  seldom(restorative('fillingTemporary', 'filled', 35)),
  restorative('ceramicCrown', 'crown', 420),
  seldom(restorative('zirconiaCrown', 'crown', 520)),
  seldom(restorative('bridge', 'bridge', 390)),
  seldom(restorative('inlay', 'crown', 260)),
  endodontics('rootFront', 'canal', 190),
  endodontics('rootPremolar', 'canal', 240),
  endodontics('rootMolar', 'canal', 310),
  seldom(endodontics('rootAgain', 'again', 360)),
  surgery('extraction', 'pull', 70),
  surgery('surgicalExtraction', 'pull', 150),
  surgery('wisdomTooth', 'pull', 180),
  seldom(surgery('implant', 'implant', 950)),
  seldom(surgery('graft', 'graft', 380)),
  taxed(cosmetic('whiteningClinic', 'bright', 280)),
  seldom(taxed(cosmetic('whiteningHome', 'bright', 190))),
  seldom(cosmetic('veneer', 'veneer', 450)),
  seldom(cosmetic('aligners', 'aligner', 120)),
  seldom(cosmetic('braces', 'braces', 50)),
  seldom(cosmetic('retainer', 'aligner', 140)),
  goods('softBrush', 'brush', 3.9),
  goods('brushHead', 'brush', 8.5),
  goods('interdental', 'brush', 5.2),
  goods('floss', 'floss', 3.5),
  goods('toothpaste', 'tube', 4.6),
  goods('mouthwash', 'bottle', 6.9),
  goods('chlorhexidine', 'tube', 7.8),
  goods('wax', 'disc', 2.9),
  goods('tablets', 'disc', 5.9),
];
