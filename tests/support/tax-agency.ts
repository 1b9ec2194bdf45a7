/**
 * A strict stand-in for the tax agency's service: it validates each message, judges the records (`agency-rules.ts`), keeps
 * them, checks their chains, numbers and pace, and answers queries. `tax-authority.ts` serves it over HTTP; the simulation
 * calls it in virtual time. A § is a section of the document that `agency-rules.ts` names.
 */
import { partIn, textIn, verdictOn } from './agency-rules.ts';
import type { Verdict } from './agency-rules.ts';
import { schemaErrors } from './xmllint.ts';

export type { Verdict } from './agency-rules.ts';

/** A record as it arrived. */
export interface ReceivedRecord {
  type: 'issue' | 'cancel';
  issuer: string;
  number: string;
  issuedOn: string;
  hash: string;
  /** Null of the first record of a chain. */
  previousHash: string | null;
  /** NIF of the issuer, system and installation. */
  chain: string;
  isLate: boolean;
  /** What a correction says of the records before it (`RechazoPrevio`); absent in a first record. */
  correction?: string;
  /** True of a cancellation that says that the agency has no record of the document (`SinRegistroPrevio`). */
  isUnregistered?: true;
  /** True of a cancellation that says that one before it was rejected (`RechazoPrevio`). */
  isAgain?: true;
}

export interface Call {
  atMs: number;
  /** The taxpayer. */
  nif: string;
  isLate: boolean;
  /** The end of VERI*FACTU of which the header tells. */
  endsOn?: string;
  numbers: string[];
  outcome: 'answered' | 'lost' | 'too early' | 'malformed' | 'down' | 'refused' | 'query';
}

export interface AgencyRules {
  clock: () => number;
  waitSeconds?: number;
  /** What the agency has already. */
  records?: readonly ReceivedRecord[];
  /** Returns what is wrong with a message or a reply; by default what the agency's schemas say. */
  validate?: (schema: 'SuministroLR.xsd' | 'RespuestaSuministro.xsd', body: string) => Promise<string[]>;
}

/** What the agency answers to a call, as a SOAP message. */
export interface AgencyAnswer {
  status: 200 | 500;
  message: string;
}

const names =
  'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws';

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A record with the text that it was read from. */
interface Read {
  record: ReceivedRecord;
  kind: 'Alta' | 'Anulacion';
  xml: string;
}

/** Returns the records of a message that is known to follow the schema. */
function readRecords(message: string, isLate: boolean): Read[] {
  return [...message.matchAll(/<sf:Registro(Alta|Anulacion)>([^]*?)<\/sf:Registro\1>/g)].map(([, kind, body]) => {
    const suffix = kind === 'Alta' ? '' : 'Anulada';
    const link = /<sf:Encadenamiento>([^]*)<\/sf:Encadenamiento>/.exec(body!)![1]!;
    const rest = body!.slice(body!.indexOf('</sf:Encadenamiento>'));
    const system = /<sf:SistemaInformatico>([^]*)<\/sf:SistemaInformatico>/.exec(rest)![1]!;
    const issuer = textIn(body!, `IDEmisorFactura${suffix}`)!;
    const isCorrection = textIn(body!, 'Subsanacion') === 'S';
    const record: ReceivedRecord = {
      type: kind === 'Alta' ? 'issue' : 'cancel',
      issuer,
      number: textIn(body!, `NumSerieFactura${suffix}`)!,
      issuedOn: textIn(body!, `FechaExpedicionFactura${suffix}`)!,
      hash: textIn(rest, 'Huella')!,
      previousHash: textIn(link, 'Huella'),
      chain: [issuer, textIn(system, 'IdSistemaInformatico'), textIn(system, 'NumeroInstalacion')].join(' '),
      isLate,
      ...(textIn(body!, 'SinRegistroPrevio') === 'S' && { isUnregistered: true as const }),
      ...(isCorrection && { correction: textIn(body!, 'RechazoPrevio') ?? 'N' }),
      ...(kind !== 'Alta' && textIn(body!, 'RechazoPrevio') === 'S' && { isAgain: true as const }),
    };
    return { record, kind: kind as Read['kind'], xml: body! };
  });
}

export class TaxAgency {
  /** The records that count, in the order of their arrival. */
  readonly records: ReceivedRecord[];
  readonly calls: Call[] = [];
  /**
   * Breaks of the rules that a careful sender never commits: the wait between calls and their number at a time (the agency's
   * description of its service, control of the flow), the order of a chain (Order HAC/1177/2024, article 7), and what the
   * methods below name.
   */
  readonly faults: string[] = [];
  waitSeconds: number;
  /** True while every call is refused as a whole. */
  isRefusing = false;
  /** Judges a record that breaks no rule; undefined accepts it. */
  judge: (record: ReceivedRecord) => Verdict | undefined = () => undefined;
  /** Returns the number of the error for which a record makes the agency refuse the whole call. */
  refusesFor: (record: ReceivedRecord) => number | undefined = () => undefined;
  /** Returns false for a NIF that the agency's census lacks. */
  isKnown: (nif: string) => boolean = () => true;
  /** The most records of one answer to a query (10,000 at the agency). */
  mostPerQuery = 10_000;
  /** Says the hash that is stored when a record is a duplicate. The agency's schema has no field for it. */
  tellsHash = false;
  private readonly clock: () => number;
  private readonly validate: NonNullable<AgencyRules['validate']>;
  private readonly heads: Map<string, string>;
  /** What was said of rejected records, by hash. Each is still the one before the next, and is rejected again. */
  private readonly rejected = new Map<string, Verdict>();
  /** What was said of records that were accepted with errors, by hash. */
  private readonly admitted = new Map<string, Verdict>();
  /** The documents whose last correction, or last cancellation, was rejected. */
  private readonly rejectedChanges = new Set<string>();
  private receipts = 0;
  /** The earliest time of the next call, by taxpayer. */
  private readonly nextCall = new Map<string, number>();
  private readonly underWay = new Set<string>();

  constructor({ clock, waitSeconds = 60, records = [], validate }: AgencyRules) {
    this.clock = clock;
    this.waitSeconds = waitSeconds;
    this.records = [...records];
    this.heads = new Map(records.map(({ chain, hash }) => [chain, hash]));
    this.validate = validate ?? ((schema, body) => schemaErrors(schema, [body]));
  }

  /** Notes a call that arrives; `end` ends it. One taxpayer makes one call at a time. */
  begin(message: string): { call: Call; end: () => void } {
    const nif = textIn(message, 'NIF') ?? '';
    const call: Call = { atMs: this.clock(), nif, isLate: false, numbers: [], outcome: 'answered' };
    this.calls.push(call);
    if (this.underWay.has(nif)) this.faults.push(`${nif}: two calls at a time`);
    this.underWay.add(nif);
    return { call, end: () => this.underWay.delete(nif) };
  }

  /** Returns what was said of a record that was accepted with errors. */
  warningOf(hash: string): Verdict | undefined {
    return this.admitted.get(hash);
  }

  /** Moves the next call of a taxpayer, whom the last reply did not reach. */
  allowNextCall(nif: string, atMs: number): void {
    this.nextCall.set(nif, atMs);
  }

  /** Judges a message and keeps its records, or answers a query. */
  async receive(message: string, call: Call): Promise<AgencyAnswer> {
    const { nif } = call;
    const body = /<soapenv:Body>([^]*)<\/soapenv:Body>/.exec(message)?.[1] ?? '';
    if (/<(?:\w+:)?ConsultaFactuSistemaFacturacion[\s>]/.test(body)) {
      call.outcome = 'query';
      return this.answerQuery(body);
    }
    call.isLate = textIn(body, 'Incidencia') === 'S';
    const endsOn = textIn(body, 'FechaFinVeriFactu');
    if (endsOn !== null) {
      call.endsOn = endsOn;
      // Order HAC/1177/2024, article 17: the end of the year in which it is told.
      if (endsOn !== `31-12-${new Date(call.atMs).getUTCFullYear()}`)
        this.faults.push(`${nif}: leaves VERI*FACTU on ${endsOn}`);
    }
    const refusal = this.headerRefusal(body, nif) ?? (await this.formRefusal(body));
    if (refusal) {
      call.outcome = 'malformed';
      this.faults.push(`${nif}: ${refusal}`);
      return fault(refusal);
    }
    const received = readRecords(body, call.isLate);
    const records = received.map(({ record }) => record);
    call.numbers = records.map(({ number }) => number);
    if (call.atMs < (this.nextCall.get(nif) ?? 0)) {
      call.outcome = 'too early';
      this.faults.push(`${nif}: a call ${(this.nextCall.get(nif)! - call.atMs) / 1000} s too early`);
      return fault('No ha transcurrido el tiempo de espera.');
    }
    const [only, ...more] = records;
    // A record that is found to break the form is still the one before the next.
    if (only && more.length === 0 && this.refusesFor(only) !== undefined) this.heads.set(only.chain, only.hash);
    const code = this.isRefusing ? 4112 : records.map((record) => this.refusesFor(record)).find((each) => each);
    if (code !== undefined) {
      call.outcome = this.isRefusing ? 'refused' : 'malformed';
      return fault(callError(code));
    }
    this.nextCall.set(nif, call.atMs + this.waitSeconds * 1000);
    const lines = received.map((each) => this.keep(each, nif));
    const header = /<sfLR:Cabecera>([^]*?)<\/sfLR:Cabecera>/.exec(body)![1]!;
    this.receipts += 1;
    const receipt = { csv: `A-TEST${String(this.receipts).padStart(12, '0')}`, nif, at: this.timestamp() };
    const reply = replyXml(header, receipt, lines, this.waitSeconds);
    const mistakes = await this.validate('RespuestaSuministro.xsd', reply);
    if (mistakes.length > 0) this.faults.push(`The stand-in breaks the schema: ${mistakes[0]}`);
    return { status: 200, message: envelope(reply) };
  }

  /** Returns what is wrong with the message as a whole before its form is looked at (list of errors: 4104 to 4119). */
  private headerRefusal(body: string, nif: string): string | undefined {
    if (body.includes('\ufffd')) return callError(4119);
    if (!/^[0-9A-Z]{9}$/.test(nif)) return callError(4116);
    if (!this.isKnown(nif)) return callError(4104);
    const count = body.match(/<(?:\w+:)?RegistroFactura>/g)?.length ?? 0;
    if (count > 1000) return callError(4113);
    const days = [...body.matchAll(/<sf:Fecha(?:Expedicion\w*|Operacion)>([^<]*)</g)].map(([, day]) => day!);
    return days.every(isCalendarDay) ? undefined : callError(4106);
  }

  /** The message is no XML (4103), or has another form than the schema asks for (4102). */
  private async formRefusal(body: string): Promise<string | undefined> {
    const [error] = await this.validate('SuministroLR.xsd', body);
    if (error === undefined) return undefined;
    return `${callError(/parser error/.test(error) ? 4103 : 4102)} ${error}`;
  }

  private timestamp(): string {
    return new Date(this.clock()).toISOString().replace(/\.\d+Z$/, '+00:00');
  }

  /** Keeps a record, unless it is there already or is rejected, and returns its line of the reply. */
  private keep({ record, kind, xml }: Read, nif: string): string {
    const { type, hash, chain, number } = record;
    const again = this.rejected.get(hash);
    const misplaced = this.misplaced(record);
    if (misplaced && 'duplicateOf' in misplaced) return lineXml(record, misplaced.verdict, misplaced.duplicateOf);
    if (again) return lineXml(record, again);
    const verdict =
      misplaced?.verdict ??
      verdictOn(kind, xml, { nowMs: this.clock(), isLate: record.isLate, nif, isKnown: this.isKnown }) ??
      this.judge(record) ??
      this.firstOf(record, xml);
    const head = this.heads.get(chain) ?? null;
    if (head !== record.previousHash) this.faults.push(`${number}: does not follow the chain ${chain}`);
    this.heads.set(chain, hash);
    if (verdict?.state === 'Incorrecto') {
      this.rejected.set(hash, verdict);
      const isChange = type === 'cancel' || (record.correction !== undefined && record.correction !== 'X');
      if (isChange) this.rejectedChanges.add(changeOf(record));
    } else {
      this.rejectedChanges.delete(changeOf(record));
      if (verdict) this.admitted.set(hash, verdict);
      this.records.push(record);
    }
    return lineXml(record, verdict);
  }

  /** §4.3.1: a first record of an installation that has sent others. */
  private firstOf({ chain }: ReceivedRecord, xml: string): Verdict | undefined {
    if (textIn(xml, 'PrimerRegistro') !== 'S' || !this.heads.has(chain)) return undefined;
    const message =
      'No debe informarse como primer registro, existen facturas emitidas con el obligado emisión y el sistema informático actual.';
    return { state: 'AceptadoConErrores', code: 2007, message };
  }

  /**
   * §6.1 and §6.2: what may be issued, corrected and cancelled, by what the agency has of the document. For a cancelled
   * document that is cancelled again §6.2 and error 3001 say different things; this takes the stricter one.
   */
  private misplaced(record: ReceivedRecord): { verdict: Verdict; duplicateOf?: Duplicate } | undefined {
    const { type, number, hash, correction, isUnregistered, isAgain } = record;
    const stored = this.records.filter((one) => documentOf(one) === documentOf(record));
    const last = stored.at(-1);
    const same = stored.find((one) => one.hash === hash);
    const told = (one: ReceivedRecord) => (this.tellsHash ? ` Huella: ${one.hash}` : '');
    const wrong = (code: number, message: string): Verdict => ({ state: 'Incorrecto', code, message });
    const duplicate = (one: ReceivedRecord) => ({
      verdict: wrong(3000, `Registro de facturación duplicado.${told(one)}`),
      duplicateOf: last!.type === 'cancel' ? ('Anulada' as const) : this.duplicateState(one),
    });
    if (type === 'issue') {
      if (same) return duplicate(same);
      if (correction === undefined || correction === 'X') {
        if (!last) return undefined;
        const first = stored.find((one) => one.type === 'issue') ?? last;
        this.faults.push(
          correction === 'X'
            ? `${number}: a correction that the agency cannot place`
            : `${number}: another hash under a known number`,
        );
        return duplicate(first);
      }
      if (!last) {
        this.faults.push(`${number}: a correction that the agency cannot place`);
        return { verdict: wrong(3002, 'No existe el registro de facturación.') };
      }
      const isAfterRejection = this.rejectedChanges.has(changeOf(record));
      if ((correction === 'S') !== isAfterRejection)
        this.faults.push(`${number}: a correction after ${isAfterRejection ? 'a' : 'no'} rejected one`);
      return undefined;
    }
    const cancelled = stored.find((one) => one.type === 'cancel');
    if (same ?? (cancelled && !isUnregistered))
      return {
        verdict: wrong(3001, `El registro de facturación ya ha sido dado de baja.${told(cancelled!)}`),
        duplicateOf: 'Anulada',
      };
    if (isUnregistered && last) {
      this.faults.push(`${number}: cancels what it says is not there`);
      return duplicate(last);
    }
    if (!isUnregistered && !last) return { verdict: wrong(3002, 'No existe el registro de facturación.') };
    const isAfterRejection = this.rejectedChanges.has(changeOf(record));
    if (isAgain && !isAfterRejection) this.faults.push(`${number}: a cancellation after no rejected one`);
    return undefined;
  }

  private duplicateState({ hash }: ReceivedRecord): Duplicate {
    return this.admitted.has(hash) ? 'AceptadaConErrores' : 'Correcta';
  }

  /**
   * Answers a query by period and, where it asks, by number or from a record on (`ConsultaFactuSistemaFacturacion`). The form
   * of the answer is that of public examples; the schema of queries is not at hand.
   */
  private answerQuery(body: string): AgencyAnswer {
    const [year, month] = [textIn(body, 'Ejercicio'), textIn(body, 'Periodo')];
    const header = partIn(body, 'Cabecera') ?? '';
    const nif = textIn(header, 'NIF');
    if (!year || !month || textIn(header, 'IDVersion') === null || textIn(header, 'NombreRazon') === null)
      return fault(callError(4102));
    const filter = (partIn(body, 'FiltroConsulta') ?? '').replace(
      /<(\w+:)?ClavePaginacion>[^]*<\/(\w+:)?ClavePaginacion>/,
      '',
    );
    const number = textIn(filter, 'NumSerieFactura');
    const after = textIn(partIn(body, 'ClavePaginacion') ?? '', 'NumSerieFactura');
    const last = new Map(
      this.records
        .filter((one) => one.issuer === nif && one.issuedOn.endsWith(`-${month}-${year}`))
        .filter((one) => number === null || one.number === number)
        .map((one) => [one.number, one]),
    );
    const found = [...last.values()];
    const from = after === null ? 0 : found.findIndex((one) => one.number === after) + 1;
    const page = found.slice(from, from + this.mostPerQuery);
    const isMore = from + page.length < found.length;
    return { status: 200, message: envelope(this.queryXml({ header, year, month, page, isMore })) };
  }

  private queryXml({ header, year, month, page, isMore }: QueryPage): string {
    const id = ({ issuer, number, issuedOn }: ReceivedRecord) =>
      `<sf:IDEmisorFactura>${issuer}</sf:IDEmisorFactura><sf:NumSerieFactura>${escaped(number)}</sf:NumSerieFactura><sf:FechaExpedicionFactura>${issuedOn}</sf:FechaExpedicionFactura>`;
    const records = page.map((record) => {
      const error = this.admitted.get(record.hash);
      const state = record.type === 'cancel' ? 'Anulado' : error ? 'AceptadoConErrores' : 'Correcto';
      const code = error ? `<r:CodigoErrorRegistro>${error.code}</r:CodigoErrorRegistro>` : '';
      return (
        `<r:RegistroRespuestaConsultaFactuSistemaFacturacion><r:IDFactura>${id(record)}</r:IDFactura>` +
        `<r:DatosRegistroFacturacion><r:TipoHuella>01</r:TipoHuella><r:Huella>${record.hash}</r:Huella></r:DatosRegistroFacturacion>` +
        `<r:EstadoRegistro><r:TimestampUltimaModificacion>${this.timestamp()}</r:TimestampUltimaModificacion>` +
        `<r:EstadoRegistro>${state}</r:EstadoRegistro>${code}</r:EstadoRegistro></r:RegistroRespuestaConsultaFactuSistemaFacturacion>`
      );
    });
    const next = isMore ? `<r:ClavePaginacion>${id(page.at(-1)!)}</r:ClavePaginacion>` : '';
    return (
      `<r:RespuestaConsultaFactuSistemaFacturacion xmlns:r="${names}/RespuestaConsultaLR.xsd" xmlns:sf="${names}/SuministroInformacion.xsd">` +
      `<r:Cabecera>${header}</r:Cabecera><r:PeriodoImputacion><r:Ejercicio>${year}</r:Ejercicio><r:Periodo>${month}</r:Periodo></r:PeriodoImputacion>` +
      `<r:IndicadorPaginacion>${isMore ? 'S' : 'N'}</r:IndicadorPaginacion><r:ResultadoConsulta>${page.length > 0 ? 'ConDatos' : 'SinDatos'}</r:ResultadoConsulta>` +
      `${records.join('')}${next}</r:RespuestaConsultaFactuSistemaFacturacion>`
    );
  }
}

interface QueryPage {
  header: string;
  year: string;
  month: string;
  page: readonly ReceivedRecord[];
  isMore: boolean;
}

type Duplicate = 'Correcta' | 'AceptadaConErrores' | 'Anulada';

const changeOf = (record: ReceivedRecord): string => `${record.type} ${documentOf(record)}`;
const documentOf = ({ issuer, number }: ReceivedRecord): string => `${issuer} ${number}`;

/** The agency's texts of errors that refuse a whole call, from its list of errors. */
const callErrors: Record<number, string> = {
  4102: 'El XML no cumple el esquema. Falta informar campo obligatorio.',
  4103: 'Se ha producido un error inesperado al parsear el XML.',
  4104: 'Error en la cabecera: el valor del campo NIF del bloque ObligadoEmision no está identificado.',
  4106: 'El formato de fecha es incorrecto.',
  4109: 'El formato del NIF es incorrecto.',
  4112: 'El titular del certificado debe ser Obligado Emisión, Colaborador Social, Apoderado o Sucesor.',
  4113: 'El XML no cumple con el esquema: se ha superado el límite permitido de registros para el bloque.',
  4114: 'El XML no cumple con el esquema: se ha superado el límite máximo permitido de facturas a registrar.',
  4116: 'Error en la cabecera: el campo NIF del bloque ObligadoEmision tiene un formato incorrecto.',
  4119: 'Error al informar caracteres cuya codificación no es UTF-8.',
};

const callError = (code: number): string => `Codigo[${code}].${callErrors[code] ?? 'Error'}`;

function isCalendarDay(day: string): boolean {
  const [, date, month, year] = /^(\d{2})-(\d{2})-(\d{4})$/.exec(day) ?? [];
  const instant = new Date(Date.UTC(Number(year), Number(month) - 1, Number(date)));
  return date !== undefined && instant.getUTCDate() === Number(date) && instant.getUTCMonth() === Number(month) - 1;
}

const envelope = (body: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"><env:Body>${body}</env:Body></env:Envelope>`;

const fault = (message: string): AgencyAnswer => ({ status: 500, message: envelope(faultXml(message)) });

const faultXml = (message: string): string =>
  `<env:Fault><faultcode>env:Client</faultcode><faultstring>${escaped(message)}</faultstring></env:Fault>`;

function lineXml(record: ReceivedRecord, verdict: Verdict | undefined, duplicateOf?: Duplicate): string {
  const error = verdict
    ? `<sfR:CodigoErrorRegistro>${verdict.code}</sfR:CodigoErrorRegistro><sfR:DescripcionErrorRegistro>${escaped(verdict.message)}</sfR:DescripcionErrorRegistro>`
    : '';
  const duplicate = duplicateOf
    ? `<sfR:RegistroDuplicado><sf:IdPeticionRegistroDuplicado>20270701100000000001</sf:IdPeticionRegistroDuplicado><sf:EstadoRegistroDuplicado>${duplicateOf}</sf:EstadoRegistroDuplicado></sfR:RegistroDuplicado>`
    : '';
  return (
    `<sfR:RespuestaLinea><sfR:IDFactura><sf:IDEmisorFactura>${record.issuer}</sf:IDEmisorFactura>` +
    `<sf:NumSerieFactura>${escaped(record.number)}</sf:NumSerieFactura>` +
    `<sf:FechaExpedicionFactura>${record.issuedOn}</sf:FechaExpedicionFactura></sfR:IDFactura>` +
    `<sfR:Operacion><sf:TipoOperacion>${record.type === 'issue' ? 'Alta' : 'Anulacion'}</sf:TipoOperacion></sfR:Operacion>` +
    `<sfR:EstadoRegistro>${verdict?.state ?? 'Correcto'}</sfR:EstadoRegistro>${error}${duplicate}</sfR:RespuestaLinea>`
  );
}

interface Receipt {
  csv: string;
  nif: string;
  at: string;
}

/** §4.1: all, a part or none of the records are accepted. The receipt is of what is. */
function replyXml(header: string, { csv, nif, at }: Receipt, lines: readonly string[], waitSeconds: number): string {
  const bad = lines.filter((line) => line.includes('>Incorrecto<')).length;
  const state = bad === 0 ? 'Correcto' : bad === lines.length ? 'Incorrecto' : 'ParcialmenteCorrecto';
  const receipt =
    state === 'Incorrecto'
      ? ''
      : `<sfR:CSV>${csv}</sfR:CSV><sfR:DatosPresentacion><sf:NIFPresentador>${nif}</sf:NIFPresentador><sf:TimestampPresentacion>${at}</sf:TimestampPresentacion></sfR:DatosPresentacion>`;
  return (
    `<sfR:RespuestaRegFactuSistemaFacturacion xmlns:sfR="${names}/RespuestaSuministro.xsd" xmlns:sf="${names}/SuministroInformacion.xsd">` +
    `${receipt}<sfR:Cabecera>${header}</sfR:Cabecera><sfR:TiempoEsperaEnvio>${waitSeconds}</sfR:TiempoEsperaEnvio>` +
    `<sfR:EstadoEnvio>${state}</sfR:EstadoEnvio>${lines.join('')}</sfR:RespuestaRegFactuSistemaFacturacion>`
  );
}
