/**
 * What the tax agency checks of one record, apart from what it has already. Each rule names its source: a section of the
 * agency's «Validaciones y errores de los sistemas VERI*FACTU», version 1.2.0 (§), or a public report. The texts and numbers
 * of errors are those of its list of errors. VAT numbers are judged by the structures that the Commission states, whose lengths
 * are those of the agency's note 1. Nothing here uses the product's own code.
 */
import { createHash } from 'node:crypto';
import { hasVatStructure } from './vat-numbers.ts';

export interface Verdict {
  state: 'AceptadoConErrores' | 'Incorrecto';
  code: number;
  message: string;
}

/** The call that a record arrives with. */
export interface Circumstances {
  /** The agency's own clock. */
  nowMs: number;
  /** `Incidencia=S` in the header. */
  isLate: boolean;
  /** The NIF of the header's `ObligadoEmision`. */
  nif: string;
  /** True for a NIF of the agency's census. */
  isKnown: (nif: string) => boolean;
}

/** The margin of `FechaHoraHusoGenRegistro` (report: issue 152 of mdiago/VeriFactu). */
export const clockMarginMs = 240_000;
/** §15.7, §15.8, §16, §17: amounts may differ by ten euros. */
const tolerance = 10;
/** §15.8: the most that a simplified invoice may state. */
const mostSimplified = 3000;
/** §10. */
const largeTotal = 100_000_000;
/** §1: the day on which the order that regulates VERI*FACTU took effect. */
const firstDay = '2024-10-28';

export const textIn = (xml: string, name: string): string | null => {
  const found = new RegExp(`<(?:\\w+:)?${name}>([^<]*)</`).exec(xml)?.[1];
  return found === undefined
    ? null
    : found
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&apos;', "'")
        .replaceAll('&amp;', '&');
};

export const partIn = (xml: string, name: string): string | null =>
  new RegExp(`<(?:\\w+:)?${name}>([^]*?)</(?:\\w+:)?${name}>`).exec(xml)?.[1] ?? null;

const partsIn = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<(?:\\w+:)?${name}>([^]*?)</(?:\\w+:)?${name}>`, 'g'))].map(([, part]) => part!);

/** Returns `dd-mm-yyyy` as `yyyy-mm-dd`. */
const isoDay = (day: string): string => day.split('-').toReversed().join('-');
const numberIn = (xml: string, name: string): number => Number(textIn(xml, name) ?? 0);
const today = (nowMs: number): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Madrid' }).format(new Date(nowMs));

const rejected = (code: number, message: string): Verdict => ({ state: 'Incorrecto', code, message });
const admitted = (code: number, message: string): Verdict => ({ state: 'AceptadoConErrores', code, message });

/** Returns what the agency says of a record by itself; undefined for one that is right. A rejection comes first. */
export function verdictOn(kind: 'Alta' | 'Anulacion', xml: string, at: Circumstances): Verdict | undefined {
  const found = kind === 'Alta' ? issueVerdict(xml, at) : cancelVerdict(xml, at);
  return (
    found ?? (kind === 'Alta' ? admissible(xml, at) : undefined) ?? hashVerdict(kind, xml) ?? clockVerdict(xml, at)
  );
}

/** §20 of issued records and §6 of cancelled ones: ahead of the agency's clock; behind it, the report of the margin. */
function clockVerdict(xml: string, { nowMs, isLate }: Circumstances): Verdict | undefined {
  const behindMs = nowMs - Date.parse(textIn(xml, 'FechaHoraHusoGenRegistro')!);
  const isRight = behindMs >= -clockMarginMs && (isLate || behindMs <= clockMarginMs);
  return isRight
    ? undefined
    : admitted(
        2004,
        'El valor del campo FechaHoraHusoGenRegistro debe ser la fecha actual del sistema de la AEAT, admitiéndose un margen de error de: 240 segundos',
      );
}

/** §23 and §7: the hash, computed anew by the agency's specification of it. §18 and §4: the form of the one before. */
function hashVerdict(kind: 'Alta' | 'Anulacion', xml: string): Verdict | undefined {
  const link = partIn(xml, 'Encadenamiento')!;
  const own = xml.replace(/<sf:Encadenamiento>[^]*<\/sf:Encadenamiento>/, '');
  const before = textIn(link, 'Huella');
  if (before !== null && !/^[0-9A-F]{64}$/.test(before))
    return admitted(2003, 'El contenido de la huella del registro anterior no cumple con las especificaciones.');
  const suffix = kind === 'Alta' ? '' : 'Anulada';
  const names = ['IDEmisorFactura', 'NumSerieFactura', 'FechaExpedicionFactura'].map((name) => `${name}${suffix}`);
  const amounts = kind === 'Alta' ? ['TipoFactura', 'CuotaTotal', 'ImporteTotal'] : [];
  const fields = [...names, ...amounts].map((name) => `${name}=${(textIn(own, name) ?? '').trim()}`);
  const text = [
    ...fields,
    `Huella=${before ?? ''}`,
    `FechaHoraHusoGenRegistro=${textIn(own, 'FechaHoraHusoGenRegistro')}`,
  ];
  const expected = createHash('sha256').update(text.join('&')).digest('hex').toUpperCase();
  const last = partsIn(own, 'Huella').at(-1);
  return last === expected ? undefined : admitted(2000, 'El cálculo de la huella suministrada es incorrecta.');
}

function cancelVerdict(xml: string, { nif }: Circumstances): Verdict | undefined {
  // §1 of cancelled records.
  if (textIn(xml, 'IDEmisorFacturaAnulada') !== nif)
    return rejected(1108, 'El NIF del IDEmisorFactura debe ser el mismo que el NIF del ObligadoEmision.');
  return undefined;
}

function issueVerdict(xml: string, at: Circumstances): Verdict | undefined {
  const type = textIn(xml, 'TipoFactura')!;
  return idVerdict(xml, at) ?? flagVerdict(xml, type) ?? recipientVerdict(xml, type) ?? amountVerdict(xml, type);
}

/** §1 and §7: who issued what, and when. */
function idVerdict(xml: string, { nif, nowMs }: Circumstances): Verdict | undefined {
  const id = partIn(xml, 'IDFactura')!;
  if (textIn(id, 'IDEmisorFactura') !== nif)
    return rejected(1108, 'El NIF del IDEmisorFactura debe ser el mismo que el NIF del ObligadoEmision.');
  if (!/^[\x20-\x7e]+$/.test(textIn(id, 'NumSerieFactura')!) || /["'<>=]/.test(textIn(id, 'NumSerieFactura')!))
    return rejected(1130, 'El campo NumSerieFactura contiene caracteres no permitidos.');
  const issuedOn = isoDay(textIn(id, 'FechaExpedicionFactura')!);
  const now = today(nowMs);
  if (issuedOn > now) return rejected(1112, 'El campo FechaExpedicionFactura es superior a la fecha actual.');
  if (issuedOn < firstDay)
    return rejected(1152, 'La fecha de expedición no puede ser inferior al 28 de octubre de 2024.');
  const operation = textIn(xml, 'FechaOperacion');
  if (operation === null) return undefined;
  if (isoDay(operation) > now)
    return rejected(
      1173,
      'Sólo se permite que la fecha de operación sea superior a la fecha actual con ClaveRegimen 14 o 15.',
    );
  if (isoDay(operation) > issuedOn)
    return rejected(
      1146,
      'Sólo se permite que la fecha de expedición sea anterior a la fecha operación con ClaveRegimen 14 o 15.',
    );
  return undefined;
}

/** §2 to §6, §8 to §10: which fields may stand beside each other. */
function flagVerdict(xml: string, type: string): Verdict | undefined {
  const isCorrective = type.startsWith('R');
  const rejection = textIn(xml, 'RechazoPrevio') ?? 'N';
  const isAmended = textIn(xml, 'Subsanacion') === 'S';
  if (rejection === 'X' && !isAmended)
    return rejected(1153, 'Valor del campo RechazoPrevio no válido: X solo con Subsanacion S.');
  if (rejection === 'S' && !isAmended)
    return rejected(1161, 'El valor del campo RechazoPrevio no es válido: S solo con Subsanacion S.');
  const method = textIn(xml, 'TipoRectificativa');
  if (isCorrective && method === null)
    return rejected(1114, 'Si la factura es de tipo rectificativa, el campo TipoRectificativa debe tener valor.');
  if (!isCorrective && method !== null)
    return rejected(1115, 'Si la factura no es de tipo rectificativa, el campo TipoRectificativa no debe tener valor.');
  if (partIn(xml, 'FacturasSustituidas') !== null && type !== 'F3')
    return rejected(1116, 'Debe informarse el campo FacturasSustituidas sólo si la factura es de tipo F3.');
  if (partIn(xml, 'FacturasRectificadas') !== null && !isCorrective)
    return rejected(
      1117,
      'Si la factura no es de tipo rectificativa, el bloque FacturasRectificadas no podrá venir informado.',
    );
  const isLarge = Math.abs(numberIn(xml, 'ImporteTotal')) >= largeTotal;
  if (isLarge && textIn(xml, 'Macrodato') !== 'S')
    return rejected(
      1139,
      'Si el campo ImporteTotal es igual o superior a +-100.000.000 el campo Macrodato debe estar informado con valor S.',
    );
  if (!isLarge && textIn(xml, 'Macrodato') === 'S')
    return rejected(
      1138,
      'El campo Macrodato solo debe ser informado con valor S si ImporteTotal es igual o superior a +-100.000.000',
    );
  if (textIn(xml, 'FacturaSinIdentifDestinatarioArt61d') === 'S' && type !== 'F2' && type !== 'R5')
    return rejected(
      1185,
      'El campo FacturaSinIdentifDestinatarioArt61d solo se podrá rellenar con S si TipoFactura es de tipo F2 o R5.',
    );
  return undefined;
}

/** §13: who receives the document. */
function recipientVerdict(xml: string, type: string): Verdict | undefined {
  const recipients = partsIn(xml, 'IDDestinatario');
  const isSimplified = type === 'F2' || type === 'R5';
  if (isSimplified && recipients.length > 0)
    return rejected(1190, 'Si TipoFactura es F2 o R5 el bloque Destinatarios no puede estar cumplimentado.');
  if (!isSimplified && recipients.length === 0)
    return rejected(
      1189,
      'Si TipoFactura es F1 o F3 o R1 o R2 o R3 o R4 el bloque Destinatarios tiene que estar cumplimentado.',
    );
  for (const one of recipients) {
    const nif = textIn(one, 'NIF');
    const found =
      nif === null ? foreignVerdict(one) : isNif(nif) ? undefined : rejected(1123, 'El formato del NIF es incorrecto.');
    if (found) return found;
  }
  const isE5 = partsIn(xml, 'OperacionExenta').includes('E5');
  // §15.5.1. The list of errors that was read ends before this number.
  if (isE5 && recipients.some((one) => textIn(one, 'NIF') !== null))
    return rejected(
      1289,
      'Si OperacionExenta es E5 sólo deberá existir la agrupación IDOtro en el bloque Destinatario.',
    );
  return undefined;
}

function foreignVerdict(xml: string): Verdict | undefined {
  const kind = textIn(xml, 'IDType')!;
  const country = textIn(xml, 'CodigoPais');
  const id = textIn(xml, 'ID') ?? '';
  if (kind === '02') {
    if (!hasVatStructure(id)) return rejected(1103, 'El valor del campo ID es incorrecto.');
    if (country !== null && country !== id.slice(0, 2) && !(country === 'GR' && id.startsWith('EL')))
      return rejected(1122, 'El campo CodigoPais indicado no coincide con los dos primeros dígitos del identificador.');
    return undefined;
  }
  if (country === null) return rejected(1111, 'El campo CodigoPais es obligatorio cuando IDType es distinto de 02.');
  if ((kind === '07') !== (country === 'ES') && !(kind === '03' && country === 'ES'))
    return rejected(
      1126,
      'El valor del CodigoPais solo puede ser ES cuando el IDType sea Pasaporte (03) o No Censado (07).',
    );
  return id.trim() === '' ? rejected(1103, 'El valor del campo ID es incorrecto.') : undefined;
}

/** What stands for the letters of foreigners and of persons without a DNI. */
const firstDigits: Readonly<Record<string, string>> = { X: '0', Y: '1', Z: '2', K: '', L: '', M: '' };

/** Royal Decree 1065/2007, articles 18 to 22: the check characters. */
function isNif(nif: string): boolean {
  const letters = 'TRWAGMYFPDXBNJZSQVHLCKE';
  const person = /^([0-9KLMXYZ])(\d{7})([A-Z])$/.exec(nif);
  if (person) {
    const first = firstDigits[person[1]!] ?? person[1]!;
    return letters[Number(`${first}${person[2]}`) % 23] === person[3];
  }
  const body = /^([A-HJNP-SUVW])(\d{7})([0-9A-J])$/.exec(nif);
  if (!body) return false;
  let sum = 0;
  for (const [index, character] of Array.from(body[2]!).entries()) {
    const product = Number(character) * (index % 2 === 0 ? 2 : 1);
    sum += product > 9 ? product - 9 : product;
  }
  const control = (10 - (sum % 10)) % 10;
  return body[3] === String(control) || body[3] === 'JABCDEFGHI'[control];
}

/** §15.1: the rates of VAT, and the days between which those that are no longer law were taken. */
const rates: readonly { percent: number; from?: string; to?: string; code?: number }[] = [
  { percent: 0 },
  { percent: 4 },
  { percent: 10 },
  { percent: 21 },
  { percent: 5, from: '2022-07-01', to: '2024-09-30', code: 1194 },
  { percent: 2, from: '2024-10-01', to: '2024-12-31', code: 1235 },
  { percent: 7.5, from: '2024-10-01', to: '2024-12-31', code: 1236 },
];

function rateVerdict(percent: number, day: string): Verdict | undefined {
  const rate = rates.find((one) => one.percent === percent);
  if (!rate)
    return rejected(1124, 'El valor del campo TipoImpositivo no está incluido en la lista de valores permitidos.');
  if ((rate.from ?? '') <= day && day <= (rate.to ?? '9999')) return undefined;
  return rejected(rate.code!, 'El valor del campo TipoImpositivo es incorrecto para la fecha de la operación.');
}

/** §15: the parts of the amounts. */
function amountVerdict(xml: string, type: string): Verdict | undefined {
  const day = isoDay(textIn(xml, 'FechaOperacion') ?? textIn(partIn(xml, 'IDFactura')!, 'FechaExpedicionFactura')!);
  const parts = partsIn(partIn(xml, 'Desglose') ?? '', 'DetalleDesglose');
  const isByDifference = textIn(xml, 'TipoRectificativa') === 'I';
  for (const part of parts) {
    const exempt = textIn(part, 'OperacionExenta');
    const base = numberIn(part, 'BaseImponibleOimporteNoSujeto');
    const tax = numberIn(part, 'CuotaRepercutida');
    const percent = textIn(part, 'TipoImpositivo');
    // §15.5
    if (textIn(part, 'ClaveRegimen') === '01' && (exempt === 'E2' || exempt === 'E3'))
      return rejected(1199, 'Si ClaveRegimen es 01 no pueden marcarse las OperacionExenta E2, E3.');
    if (exempt !== null && (percent !== null || textIn(part, 'CuotaRepercutida') !== null))
      return rejected(1238, 'Si la operacion es exenta no se puede informar TipoImpositivo ni CuotaRepercutida.');
    if (textIn(part, 'CalificacionOperacion') !== 'S1') continue;
    // §15.7
    if (percent === null || textIn(part, 'CuotaRepercutida') === null)
      return rejected(1208, 'Si CalificacionOperacion es S1, TipoImpositivo y CuotaRepercutida son obligatorios.');
    const found = rateVerdict(Number(percent), day);
    if (found) return found;
    if (isByDifference) continue;
    if (base * tax < 0)
      return rejected(1143, 'Los campos CuotaRepercutida y BaseImponibleOimporteNoSujeto deben tener el mismo signo.');
    if (Math.abs(tax - (base * Number(percent)) / 100) > tolerance)
      return rejected(1142, 'El campo CuotaRepercutida tiene un valor incorrecto.');
  }
  // §15.8
  const isAnonymous = textIn(xml, 'FacturaSinIdentifDestinatarioArt61d') === 'S';
  if (type === 'F2' && !isAnonymous && sumOf(parts) > mostSimplified + tolerance)
    return rejected(
      1150,
      'Cuando TipoFactura sea F2 el sumatorio de BaseImponibleOimporteNoSujeto y CuotaRepercutida no podrá ser superior a 3.000.',
    );
  return undefined;
}

const sumOf = (parts: readonly string[]): number =>
  parts.reduce(
    (sum, part) => sum + numberIn(part, 'BaseImponibleOimporteNoSujeto') + numberIn(part, 'CuotaRepercutida'),
    0,
  );

/** §16, §17 and the first of §4.3.1: errors with which a record is taken. */
function admissible(xml: string, { isKnown }: Circumstances): Verdict | undefined {
  const parts = partsIn(partIn(xml, 'Desglose') ?? '', 'DetalleDesglose');
  const total = numberIn(xml, 'ImporteTotal');
  if (Math.abs(total - sumOf(parts)) > tolerance)
    return admitted(2005, 'El campo ImporteTotal tiene un valor incorrecto.');
  const tax = parts.reduce((sum, part) => sum + numberIn(part, 'CuotaRepercutida'), 0);
  if (Math.abs(numberIn(xml, 'CuotaTotal') - tax) > tolerance)
    return admitted(2006, 'El campo CuotaTotal tiene un valor incorrecto.');
  const unknown = partsIn(xml, 'IDDestinatario').some((one) => {
    const nif = textIn(one, 'NIF');
    return nif !== null && !isKnown(nif);
  });
  return unknown
    ? admitted(2001, 'El NIF del bloque Destinatarios no está identificado en el censo de la AEAT.')
    : undefined;
}
