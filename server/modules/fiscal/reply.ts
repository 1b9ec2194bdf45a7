/** Reads the tax agency's reply to a call, and its SOAP faults. */
import { fiscalText } from '#domain/fiscal/record.ts';

export type RecordState = 'accepted' | 'accepted_with_errors' | 'rejected';

export interface RecordReply {
  type: 'issue' | 'cancel';
  number: string;
  issuedOn: string;
  state: RecordState;
  /** The agency's number of the error, such as `3000`. */
  code: number | null;
  message: string;
  /** The state in which the agency has the record already; null when it is new to it. */
  duplicateOf: 'accepted' | 'accepted_with_errors' | 'cancelled' | null;
}

export type CallReply =
  | {
      type: 'answer';
      /** The agency's receipt; absent when it took nothing. */
      csv: string | null;
      /** The time of the receipt by the agency's clock. */
      presentedAtMs: number | null;
      /** The time before the next call. */
      waitSeconds: number;
      records: RecordReply[];
    }
  /** The call as a whole was refused. */
  | { type: 'fault'; message: string }
  | { type: 'unreadable' };

interface Element {
  name: string;
  text: string;
  children: Element[];
}

const mostElements = 100_000;
/** A page of a query has up to 10,000 records, with all that each says. */
const mostOfQuery = 1_000_000;

/**
 * Parses the elements of an XML document, without prefixes and attributes. Returns null for anything that is no plain XML:
 * a document type could name files and expand without end.
 */
function parseXml(xml: string, most = mostElements): Element | null {
  const root: Element = { name: '', text: '', children: [] };
  const open: Element[] = [root];
  // In no text can a part of this match in two ways, so a reply that is no XML is read as fast as one that is.
  const token = /<\?[^>]*\?>|<!--[^]*?-->|<!\[CDATA\[([^]*?)\]\]>|<(\/?)([^\s<>/!?]+)(?:[\s/][^<>]*)?>|([^<]+)/gy;
  let count = 0;
  let end = 0;
  for (let found = token.exec(xml); found; found = token.exec(xml)) {
    end = token.lastIndex;
    const [whole, cdata, closing, name, text] = found;
    const current = open.at(-1)!;
    if (cdata !== undefined) current.text += cdata;
    else if (text !== undefined) current.text += unescaped(text);
    else if (name !== undefined) {
      if ((count += 1) > most) return null;
      const local = name.slice(name.indexOf(':') + 1);
      if (closing === '/') {
        if (open.length === 1 || current.name !== local) return null;
        open.pop();
      } else {
        const element: Element = { name: local, text: '', children: [] };
        current.children.push(element);
        if (!whole.endsWith('/>')) open.push(element);
      }
    }
  }
  return end === xml.length && open.length === 1 ? root : null;
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const unescaped = (text: string): string =>
  text.replaceAll(
    /&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(\w+));/g,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return entities[name] ?? whole;
      const point = decimal === undefined ? parseInt(hex!, 16) : Number(decimal);
      return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
    },
  );

/** Returns the first element of this name at any depth. */
function find(element: Element, name: string): Element | undefined {
  for (const child of element.children) {
    if (child.name === name) return child;
    const deeper = find(child, name);
    if (deeper) return deeper;
  }
  return undefined;
}

const textOf = (element: Element | undefined, name: string): string | null =>
  (element && find(element, name))?.text.trim() ?? null;

function instantOf(text: string | null): number | null {
  const atMs = Date.parse(text ?? '');
  return Number.isNaN(atMs) ? null : atMs;
}

const states: Record<string, RecordState> = {
  Correcto: 'accepted',
  AceptadoConErrores: 'accepted_with_errors',
  Incorrecto: 'rejected',
};

const duplicates: Record<string, RecordReply['duplicateOf']> = {
  Correcta: 'accepted',
  AceptadaConErrores: 'accepted_with_errors',
  Anulada: 'cancelled',
};

export function readReply(xml: string): CallReply {
  const root = parseXml(xml);
  if (!root) return { type: 'unreadable' };
  const fault = find(root, 'Fault');
  if (fault) return { type: 'fault', message: fiscalText(textOf(fault, 'faultstring') ?? '', 1000) };
  const answer = find(root, 'RespuestaRegFactuSistemaFacturacion');
  const wait = textOf(answer, 'TiempoEsperaEnvio');
  if (!answer || wait === null || !/^\d{1,4}$/.test(wait)) return { type: 'unreadable' };
  const lines = answer.children.filter(({ name }) => name === 'RespuestaLinea').map(readLine);
  if (lines.includes(null)) return { type: 'unreadable' };
  return {
    type: 'answer',
    csv: answer.children.find(({ name }) => name === 'CSV')?.text.trim() ?? null,
    presentedAtMs: instantOf(textOf(answer, 'TimestampPresentacion')),
    waitSeconds: Number(wait),
    records: lines.filter((line) => line !== null),
  };
}

/** A record as the agency has it. */
export interface KnownRecord {
  number: string;
  issuedOn: string;
  hash: string;
  state: 'accepted' | 'accepted_with_errors' | 'cancelled';
  code: number | null;
}

export type QueryReply =
  | {
      type: 'answer';
      records: KnownRecord[];
      /** The document after which the next page begins; null on the last page. */
      next: { number: string; issuedOn: string } | null;
    }
  | { type: 'fault'; message: string }
  | { type: 'unreadable' };

const knownStates: Record<string, KnownRecord['state']> = {
  Correcto: 'accepted',
  Correcta: 'accepted',
  AceptadoConErrores: 'accepted_with_errors',
  AceptadaConErrores: 'accepted_with_errors',
  Anulado: 'cancelled',
  Anulada: 'cancelled',
};

/** Reads the answer to a query. A record of a form that is not known is left out: nothing follows from it. */
export function readQueryReply(xml: string): QueryReply {
  const root = parseXml(xml, mostOfQuery);
  if (!root) return { type: 'unreadable' };
  const fault = find(root, 'Fault');
  if (fault) return { type: 'fault', message: fiscalText(textOf(fault, 'faultstring') ?? '', 1000) };
  const answer = find(root, 'RespuestaConsultaFactuSistemaFacturacion');
  if (!answer) return { type: 'unreadable' };
  const records = answer.children
    .filter(({ name }) => name === 'RegistroRespuestaConsultaFactuSistemaFacturacion')
    .flatMap((record) => readKnown(record) ?? []);
  const last = answer.children.find(({ name }) => name === 'ClavePaginacion');
  const [number, issuedOn] = [textOf(last, 'NumSerieFactura'), textOf(last, 'FechaExpedicionFactura')];
  const isMore = textOf(answer, 'IndicadorPaginacion') === 'S' && number !== null && issuedOn !== null;
  return { type: 'answer', records, next: isMore ? { number, issuedOn } : null };
}

function readKnown(record: Element): KnownRecord | null {
  const id = find(record, 'IDFactura');
  const status = record.children.find(({ name }) => name === 'EstadoRegistro');
  const number = textOf(id, 'NumSerieFactura');
  const issuedOn = textOf(id, 'FechaExpedicionFactura');
  // The record before it in the chain has a hash of the same name.
  const hash = find(record, 'DatosRegistroFacturacion')
    ?.children.find(({ name }) => name === 'Huella')
    ?.text.trim();
  const state = knownStates[textOf(status, 'EstadoRegistro') ?? ''];
  if (number === null || issuedOn === null || hash === undefined || state === undefined) return null;
  const code = textOf(status, 'CodigoErrorRegistro');
  return { number, issuedOn, hash, state, code: code !== null && /^\d{1,6}$/.test(code) ? Number(code) : null };
}

function readLine(line: Element): RecordReply | null {
  const number = textOf(line, 'NumSerieFactura');
  const issuedOn = textOf(line, 'FechaExpedicionFactura');
  const operation = textOf(line, 'TipoOperacion');
  const state = states[line.children.find(({ name }) => name === 'EstadoRegistro')?.text.trim() ?? ''];
  if (number === null || issuedOn === null || state === undefined) return null;
  const code = line.children.find(({ name }) => name === 'CodigoErrorRegistro')?.text.trim();
  const message = line.children.find(({ name }) => name === 'DescripcionErrorRegistro')?.text.trim() ?? '';
  const known = find(line, 'RegistroDuplicado');
  return {
    type: operation === 'Anulacion' ? 'cancel' : 'issue',
    number,
    issuedOn,
    state,
    code: code === undefined || !/^\d{1,6}$/.test(code) ? null : Number(code),
    message: fiscalText(message, 1500),
    duplicateOf: duplicates[textOf(known, 'EstadoRegistroDuplicado') ?? ''] ?? null,
  };
}
