/**
 * The rules of a strict stand-in for the tax agency's service: it validates each message, keeps the records, and checks
 * their chains, numbers and pace. `tax-authority.ts` serves it over HTTP; the simulation calls it in virtual time.
 */
import { schemaErrors } from './xmllint.ts';

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
}

export interface Verdict {
  state: 'AceptadoConErrores' | 'Incorrecto';
  code: number;
  message: string;
}

export interface Call {
  atMs: number;
  /** The taxpayer. */
  nif: string;
  isLate: boolean;
  numbers: string[];
  outcome: 'answered' | 'lost' | 'too early' | 'malformed' | 'down' | 'refused';
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

const textIn = (xml: string, name: string): string | null => {
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

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Returns the records of a message that is known to follow the schema. */
function readRecords(message: string, isLate: boolean): ReceivedRecord[] {
  return [...message.matchAll(/<sf:Registro(Alta|Anulacion)>([^]*?)<\/sf:Registro\1>/g)].map(([, kind, body]) => {
    const suffix = kind === 'Alta' ? '' : 'Anulada';
    const link = /<sf:Encadenamiento>([^]*)<\/sf:Encadenamiento>/.exec(body!)![1]!;
    const rest = body!.slice(body!.indexOf('</sf:Encadenamiento>'));
    const system = /<sf:SistemaInformatico>([^]*)<\/sf:SistemaInformatico>/.exec(rest)![1]!;
    const issuer = textIn(body!, `IDEmisorFactura${suffix}`)!;
    const isCorrection = textIn(body!, 'Subsanacion') === 'S';
    return {
      type: kind === 'Alta' ? 'issue' : 'cancel',
      issuer,
      number: textIn(body!, `NumSerieFactura${suffix}`)!,
      issuedOn: textIn(body!, `FechaExpedicionFactura${suffix}`)!,
      hash: textIn(rest, 'Huella')!,
      previousHash: textIn(link, 'Huella'),
      chain: [issuer, textIn(system, 'IdSistemaInformatico'), textIn(system, 'NumeroInstalacion')].join(' '),
      isLate,
      ...(isCorrection && { correction: textIn(body!, 'RechazoPrevio') ?? 'N' }),
    };
  });
}

export class TaxAgency {
  /** The records that count, in the order of their arrival. */
  readonly records: ReceivedRecord[];
  readonly calls: Call[] = [];
  /** Breaks of the rules that a careful sender never commits. */
  readonly faults: string[] = [];
  waitSeconds: number;
  /** True while every call is refused as a whole. */
  isRefusing = false;
  /** Judges a record that breaks no rule; undefined accepts it. */
  judge: (record: ReceivedRecord) => Verdict | undefined = () => undefined;
  /** Returns true for a record of which the agency says that it breaks the schema. */
  breaksSchema: (record: ReceivedRecord) => boolean = () => false;
  /** Says the hash that is stored when a record is a duplicate. The agency's schema has no field for it. */
  tellsHash = false;
  private readonly clock: () => number;
  private readonly validate: NonNullable<AgencyRules['validate']>;
  private readonly heads: Map<string, string>;
  /** What was said of rejected records, by hash. Each is still the one before the next, and is rejected again. */
  private readonly rejected = new Map<string, Verdict>();
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

  /** Moves the next call of a taxpayer, whom the last reply did not reach. */
  allowNextCall(nif: string, atMs: number): void {
    this.nextCall.set(nif, atMs);
  }

  /** Judges a message and keeps its records. */
  async receive(message: string, call: Call): Promise<AgencyAnswer> {
    const { nif } = call;
    const body = /<soapenv:Body>([^]*)<\/soapenv:Body>/.exec(message)?.[1] ?? '';
    const errors = await this.validate('SuministroLR.xsd', body);
    call.isLate = textIn(body, 'Incidencia') === 'S';
    if (errors.length > 0) {
      call.outcome = 'malformed';
      this.faults.push(`${nif}: ${errors[0]}`);
      return fault(`Codigo[4102].El XML no cumple el esquema. ${errors[0]}`);
    }
    const received = readRecords(body, call.isLate);
    call.numbers = received.map(({ number }) => number);
    if (call.atMs < (this.nextCall.get(nif) ?? 0)) {
      call.outcome = 'too early';
      this.faults.push(`${nif}: a call ${(this.nextCall.get(nif)! - call.atMs) / 1000} s too early`);
      return fault('No ha transcurrido el tiempo de espera.');
    }
    const [only, ...more] = received;
    // A record that is found to break the schema is still the one before the next.
    if (only && more.length === 0 && this.breaksSchema(only)) this.heads.set(only.chain, only.hash);
    if (this.isRefusing || received.some((record) => this.breaksSchema(record))) {
      call.outcome = this.isRefusing ? 'refused' : 'malformed';
      return fault(
        this.isRefusing
          ? 'Codigo[4112].El titular del certificado debe ser Obligado Emisión, Colaborador Social, Apoderado o Sucesor.'
          : 'Codigo[4102].El XML no cumple el esquema.',
      );
    }
    this.nextCall.set(nif, call.atMs + this.waitSeconds * 1000);
    const lines = received.map((record) => this.keep(record));
    const header = /<sfLR:Cabecera>([^]*?)<\/sfLR:Cabecera>/.exec(body)![1]!;
    const reply = replyXml(header, nif, lines, this.waitSeconds);
    const mistakes = await this.validate('RespuestaSuministro.xsd', reply);
    if (mistakes.length > 0) this.faults.push(`The stand-in breaks the schema: ${mistakes[0]}`);
    return { status: 200, message: envelope(reply) };
  }

  /** Keeps a record, unless it is there already or is rejected, and returns its line of the reply. */
  private keep(record: ReceivedRecord): string {
    const { type, hash, chain, number } = record;
    const same = (one: ReceivedRecord) => one.issuer === record.issuer && one.number === number;
    const known = this.records.filter((one) => same(one) && one.type === type);
    const { correction } = record;
    // A correction stands beside the record with errors; the same one twice is a duplicate.
    const duplicate = correction === undefined ? known[0] : known.find((one) => one.hash === hash);
    if (duplicate) {
      if (duplicate.hash !== hash) this.faults.push(`${number}: another hash under a known number`);
      const told = this.tellsHash ? ` Huella: ${duplicate.hash}` : '';
      const isCancel = type === 'cancel';
      const message = `Registro de facturación ${isCancel ? 'ya dado de baja' : 'duplicado'}.${told}`;
      return lineXml(record, { state: 'Incorrecto', code: isCancel ? 3001 : 3000, message }, true);
    }
    const again = this.rejected.get(hash);
    if (again) return lineXml(record, again, false);
    const isMisplaced = correction !== undefined && (correction === 'X') === known.length > 0;
    if (isMisplaced) this.faults.push(`${number}: a correction that the agency cannot place`);
    const verdict: Verdict | undefined =
      type === 'cancel' && !this.records.some(same)
        ? { state: 'Incorrecto', code: 3002, message: 'No existe el registro.' }
        : this.judge(record);
    const head = this.heads.get(chain) ?? null;
    if (head !== record.previousHash) this.faults.push(`${number}: does not follow the chain ${chain}`);
    this.heads.set(chain, hash);
    if (verdict?.state === 'Incorrecto') this.rejected.set(hash, verdict);
    else this.records.push(record);
    return lineXml(record, verdict, false);
  }
}

const envelope = (body: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"><env:Body>${body}</env:Body></env:Envelope>`;

const fault = (message: string): AgencyAnswer => ({ status: 500, message: envelope(faultXml(message)) });

const faultXml = (message: string): string =>
  `<env:Fault><faultcode>env:Client</faultcode><faultstring>${escaped(message)}</faultstring></env:Fault>`;

function lineXml(record: ReceivedRecord, verdict: Verdict | undefined, isDuplicate: boolean): string {
  const error = verdict
    ? `<sfR:CodigoErrorRegistro>${verdict.code}</sfR:CodigoErrorRegistro><sfR:DescripcionErrorRegistro>${escaped(verdict.message)}</sfR:DescripcionErrorRegistro>`
    : '';
  const duplicate = isDuplicate
    ? '<sfR:RegistroDuplicado><sf:IdPeticionRegistroDuplicado>20270701100000000001</sf:IdPeticionRegistroDuplicado><sf:EstadoRegistroDuplicado>Correcta</sf:EstadoRegistroDuplicado></sfR:RegistroDuplicado>'
    : '';
  return (
    `<sfR:RespuestaLinea><sfR:IDFactura><sf:IDEmisorFactura>${record.issuer}</sf:IDEmisorFactura>` +
    `<sf:NumSerieFactura>${escaped(record.number)}</sf:NumSerieFactura>` +
    `<sf:FechaExpedicionFactura>${record.issuedOn}</sf:FechaExpedicionFactura></sfR:IDFactura>` +
    `<sfR:Operacion><sf:TipoOperacion>${record.type === 'issue' ? 'Alta' : 'Anulacion'}</sf:TipoOperacion></sfR:Operacion>` +
    `<sfR:EstadoRegistro>${verdict?.state ?? 'Correcto'}</sfR:EstadoRegistro>${error}${duplicate}</sfR:RespuestaLinea>`
  );
}

function replyXml(header: string, nif: string, lines: readonly string[], waitSeconds: number): string {
  const bad = lines.filter((line) => line.includes('>Incorrecto<')).length;
  const state = bad === 0 ? 'Correcto' : bad === lines.length ? 'Incorrecto' : 'ParcialmenteCorrecto';
  const receipt =
    state === 'Incorrecto'
      ? ''
      : `<sfR:CSV>A-TEST000000000001</sfR:CSV><sfR:DatosPresentacion><sf:NIFPresentador>${nif}</sf:NIFPresentador><sf:TimestampPresentacion>2027-07-01T10:00:00+02:00</sf:TimestampPresentacion></sfR:DatosPresentacion>`;
  return (
    `<sfR:RespuestaRegFactuSistemaFacturacion xmlns:sfR="${names}/RespuestaSuministro.xsd" xmlns:sf="${names}/SuministroInformacion.xsd">` +
    `${receipt}<sfR:Cabecera>${header}</sfR:Cabecera><sfR:TiempoEsperaEnvio>${waitSeconds}</sfR:TiempoEsperaEnvio>` +
    `<sfR:EstadoEnvio>${state}</sfR:EstadoEnvio>${lines.join('')}</sfR:RespuestaRegFactuSistemaFacturacion>`
  );
}
