/**
 * The fields of the correction form. A draft holds them as typed text. The parsers turn the text into payload values, and
 * record a fault where the server would refuse the value.
 */
import { amountForm, quantityForm, readDecimal, writeDecimal } from '#domain/decimal.ts';
import type { DecimalForm } from '#domain/decimal.ts';
import { minorFromWire, minorToWire } from '#domain/money.ts';
import { subtotalOf } from '#domain/order/order.ts';
import type { LinePayload } from '#domain/order/operations.ts';
import { maxMinor, maxMilli, textLimits } from '#domain/limits.ts';
import { milliFromWire, milliToWire } from '#domain/quantity.ts';
import { isReasonTooShort } from '#domain/reason.ts';
import { storableText } from '#src/db/commands/storable-text.ts';

export interface LineDraft {
  lineId: string;
  name: string;
  /** Null unless the server refused the name. */
  editedName: string | null;
  quantity: string;
  price: string;
}

/** A field is null where the kind of operation does not have it, or where it cannot be edited. */
export interface Draft {
  customerName: string | null;
  notes: string | null;
  lines: LineDraft[] | null;
  amount: string | null;
  tendered: string | null;
  reference: string | null;
  reason: string | null;
}

export const blankDraft: Draft = {
  customerName: null,
  notes: null,
  lines: null,
  amount: null,
  tendered: null,
  reference: null,
  reason: null,
};

export type FaultCode =
  | 'tooLong'
  | 'empty'
  | 'quantity'
  | 'price'
  | 'amount'
  | 'tendered'
  | 'total'
  | 'tooMuch'
  | 'tooLarge'
  | 'reason';
/** Keyed by the field of the draft; for a line by `quantity.<line>`, `price.<line>` or `name.<line>`; else `total`. */
export type Faults = Record<string, FaultCode>;

export const toText = (value: string | undefined): string => value ?? '';
export const amountText = (wire: number): string => writeDecimal(minorFromWire(wire), amountForm);
export const quantityText = (wire: number): string => writeDecimal(milliFromWire(wire), quantityForm);

/** @param named the payload paths that the server refused */
export function lineDrafts(items: readonly LinePayload[], named: readonly string[]): LineDraft[] {
  return items.map(({ line_id, name, quantity, unit_price }, index) => ({
    lineId: line_id,
    name,
    editedName: named.includes(`items.${index}.name`) ? name : null,
    quantity: quantityText(quantity),
    price: amountText(unit_price),
  }));
}

/** Returns the sum of the lines, or null while one cannot be parsed. */
export function draftTotalMinor(drafts: readonly LineDraft[]): number | null {
  let sum = 0;
  for (const { quantity, price } of drafts) {
    const [amount, unitMinor] = [parseQuantity(quantity), parseMinor(price)];
    if (amount === null || unitMinor === null) return null;
    sum += subtotalOf([{ quantity: amount, unit_price: minorToWire(unitMinor) }]);
  }
  return sum;
}

/** @param fixedMinor the sum that the lines must keep; null if any sum is allowed */
export function parseLines(
  items: readonly LinePayload[],
  drafts: readonly LineDraft[],
  fixedMinor: number | null,
  faults: Faults,
): LinePayload[] {
  const lines = items.map((item, index): LinePayload => {
    const { lineId, editedName, quantity, price } = drafts[index]!;
    const amount = parseQuantity(quantity);
    if (amount === null || amount <= 0 || milliFromWire(amount) > maxMilli) faults[`quantity.${lineId}`] = 'quantity';
    const unitMinor = parseMinor(price);
    if (unitMinor === null || unitMinor > maxMinor) faults[`price.${lineId}`] = 'price';
    const name = editedName === null ? item.name : parseText(editedName, textLimits.name, `name.${lineId}`, faults);
    if (name === undefined) faults[`name.${lineId}`] = 'empty';
    return { ...item, name: name ?? '', quantity: amount ?? 0, unit_price: minorToWire(unitMinor ?? 0) };
  });
  const sumMinor = subtotalOf(lines);
  const isValid = Object.keys(faults).length === 0;
  if (isValid && sumMinor > maxMinor) faults['total'] = 'tooLarge';
  if (isValid && fixedMinor !== null && sumMinor !== fixedMinor) faults['total'] = 'total';
  return lines;
}

/** Returns the storable text, or undefined when it is empty. A text that is too long is a fault and is never cut. */
export function parseText(text: string, maxLength: number, key: string, faults: Faults): string | undefined {
  if (text.trim().length > maxLength) faults[key] = 'tooLong';
  return storableText(text, maxLength);
}

export function parseReason(text: string, faults: Faults): string {
  if (isReasonTooShort(text)) faults['reason'] = 'reason';
  return parseText(text, textLimits.reason, 'reason', faults) ?? '';
}

/** Returns an amount in minor units; 0 with a fault when the text is no amount of at least `minMinor`. */
export function parseAmount(text: string, faults: Faults, minMinor = 1): number {
  const minor = parseMinor(text);
  if (minor === null || minor < minMinor || minor > maxMinor) faults['amount'] = 'amount';
  return minor ?? 0;
}

/** Reads a number that is not negative, in units of its last decimal. */
function parseDecimal(text: string, form: DecimalForm): number | null {
  const { scaled = null } = readDecimal(text, form);
  return scaled !== null && scaled >= 0 ? scaled : null;
}

export const parseMinor = (text: string): number | null => parseDecimal(text, amountForm);

/** Returns a quantity as a wire decimal. */
export function parseQuantity(text: string): number | null {
  const milli = parseDecimal(text, quantityForm);
  return milli === null ? null : milliToWire(milli);
}

/** Returns the payload with the field set, or without the field for undefined. */
export function withField<Payload extends object, Key extends keyof Payload>(
  payload: Payload,
  key: Key,
  value: Payload[Key] | undefined,
): Payload {
  const { [key]: _previous, ...rest } = payload;
  return (value === undefined ? rest : { ...rest, [key]: value }) as Payload;
}

export const withNotes = <Payload extends { notes?: string | undefined }>(
  payload: Payload,
  notes: string,
  faults: Faults,
): Payload => withField(payload, 'notes', parseText(notes, textLimits.notes, 'notes', faults));
