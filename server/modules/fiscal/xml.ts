/** Fiscal records as XML, in the order and the namespaces of the tax agency's schemas (`tests/support/verifactu`). */
import { fieldLimits, fiscalText } from '#domain/fiscal/record.ts';
import { fiscalDay } from '#domain/fiscal/zoned.ts';
import type {
  BreakdownField,
  CancelRecord,
  Correction,
  FiscalRecord,
  IssueRecord,
  NamedDocument,
  RecordRecipient,
} from '#domain/fiscal/record.ts';

const schemas =
  'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws';
const namespaces = `xmlns:sfLR="${schemas}/SuministroLR.xsd" xmlns:sf="${schemas}/SuministroInformacion.xsd"`;

/** Who made this program, as the responsible declaration says. */
export interface Producer {
  name: string;
  taxId: string;
}

export interface InvoicingSystem {
  producer: Producer;
  version: string;
  /** True when this installation serves more than one taxpayer. */
  isShared: boolean;
}

/** The system's name and its two characters, by which the agency tells the systems of a producer apart. */
export const systemName = 'Dental Counter';
export const systemId = 'DC';

/** From this total on, in euros, a record has to say that its amounts are that large. */
const largeTotal = 100_000_000;

/** The most records that one call may have. */
export const maxRecordsPerCall = 1000;

/**
 * The bytes of records after which a call gets no more of them. A thousand records of the longest descriptions have about
 * two million; as XML, a list of corrected invoices has five times its bytes.
 */
export const enoughBytesPerCall = 2_000_000;

export interface Submission {
  issuer: { name: string; taxId: string };
  system: InvoicingSystem;
  /** True for records that an outage has delayed. */
  isLate: boolean;
  /** The day (`yyyy-mm-dd`) on which the taxpayer leaves VERI*FACTU; the calls of the last month state it. */
  endsOn?: string | null;
  records: readonly FiscalRecord[];
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => escapes[character]!);

const element = (name: string, ...content: readonly string[]): string => `<sf:${name}>${content.join('')}</sf:${name}>`;

const text = (name: string, value: string): string => element(name, escaped(value));

/** Returns the body of one call. */
export function submissionXml({ issuer, system, isLate, endsOn, records }: Submission): string {
  const voluntary = `${endsOn ? text('FechaFinVeriFactu', fiscalDay(endsOn)) : ''}${isLate ? text('Incidencia', 'S') : ''}`;
  const header = [
    element(
      'ObligadoEmision',
      text('NombreRazon', fiscalText(issuer.name, fieldLimits.name)),
      text('NIF', issuer.taxId),
    ),
    voluntary === '' ? '' : element('RemisionVoluntaria', voluntary),
  ];
  const body = records.map((record) => `<sfLR:RegistroFactura>${recordXml(record, system)}</sfLR:RegistroFactura>`);
  return `<sfLR:RegFactuSistemaFacturacion ${namespaces}><sfLR:Cabecera>${header.join('')}</sfLR:Cabecera>${body.join('')}</sfLR:RegFactuSistemaFacturacion>`;
}

/** Returns the SOAP message of one call. */
export const soapMessage = (submission: Submission): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Header/><soapenv:Body>${submissionXml(submission)}</soapenv:Body></soapenv:Envelope>`;

export interface Query {
  issuer: { name: string; taxId: string };
  /** `yyyy-mm` */
  month: string;
  /** The last document of the page before. */
  after: { number: string; issuedOn: string } | null;
}

/** Returns the SOAP message that asks what the agency has of a month (`ConsultaFactuSistemaFacturacion`). */
export function queryMessage({ issuer, month, after }: Query): string {
  const [year = '', of = ''] = month.split('-');
  const page = after
    ? `<con:ClavePaginacion>${idXml(issuer.taxId, { number: after.number, issued_on: after.issuedOn })}</con:ClavePaginacion>`
    : '';
  const header = `${text('IDVersion', '1.0')}${element('ObligadoEmision', text('NombreRazon', fiscalText(issuer.name, fieldLimits.name)), text('NIF', issuer.taxId))}`;
  const period = `<con:PeriodoImputacion>${text('Ejercicio', year)}${text('Periodo', of)}</con:PeriodoImputacion>`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Header/><soapenv:Body><con:ConsultaFactuSistemaFacturacion xmlns:con="${schemas}/ConsultaLR.xsd" xmlns:sf="${schemas}/SuministroInformacion.xsd"><con:Cabecera>${header}</con:Cabecera><con:FiltroConsulta>${period}${page}</con:FiltroConsulta></con:ConsultaFactuSistemaFacturacion></soapenv:Body></soapenv:Envelope>`;
}

const recordXml = (record: FiscalRecord, system: InvoicingSystem): string =>
  record.type === 'issue' ? issueXml(record, system) : cancelXml(record, system);

/** The agency's words for what it has of a corrected document (`RechazoPrevioType`). */
const rejections: Record<Correction, string> = { accepted: 'N', rejected: 'S', absent: 'X' };

function issueXml(record: IssueRecord, system: InvoicingSystem): string {
  const { fields } = record;
  const { issuer, type, corrects, replaces, operation_on, recipient } = fields;
  return element(
    'RegistroAlta',
    text('IDVersion', '1.0'),
    documentXml('IDFactura', issuer, fields),
    text('NombreRazonEmisor', fields.issuer_name),
    fields.correction ? `${text('Subsanacion', 'S')}${text('RechazoPrevio', rejections[fields.correction])}` : '',
    text('TipoFactura', type),
    // Corrective documents state the difference.
    type.startsWith('R') ? text('TipoRectificativa', 'I') : '',
    documentsXml('FacturasRectificadas', 'IDFacturaRectificada', issuer, corrects),
    documentsXml('FacturasSustituidas', 'IDFacturaSustituida', issuer, replaces),
    operation_on === undefined ? '' : text('FechaOperacion', operation_on),
    text('DescripcionOperacion', fields.description),
    Math.abs(Number(fields.total)) >= largeTotal ? text('Macrodato', 'S') : '',
    recipient
      ? element(
          'Destinatarios',
          element('IDDestinatario', text('NombreRazon', recipient.name), recipientIdXml(recipient)),
        )
      : '',
    element('Desglose', ...fields.breakdown.map(breakdownXml)),
    text('CuotaTotal', fields.tax_total),
    text('ImporteTotal', fields.total),
    chainXml(record),
    systemXml(record.chain, system),
    text('FechaHoraHusoGenRegistro', fields.generated_at),
    text('TipoHuella', '01'),
    text('Huella', record.hash),
  );
}

function cancelXml(record: CancelRecord, system: InvoicingSystem): string {
  const { issuer, number, issued_on, unregistered, again, generated_at } = record.fields;
  return element(
    'RegistroAnulacion',
    text('IDVersion', '1.0'),
    element(
      'IDFactura',
      text('IDEmisorFacturaAnulada', issuer),
      text('NumSerieFacturaAnulada', number),
      text('FechaExpedicionFacturaAnulada', issued_on),
    ),
    unregistered ? text('SinRegistroPrevio', 'S') : '',
    again ? text('RechazoPrevio', 'S') : '',
    chainXml(record),
    systemXml(record.chain, system),
    text('FechaHoraHusoGenRegistro', generated_at),
    text('TipoHuella', '01'),
    text('Huella', record.hash),
  );
}

/** The prefix of a VAT number is its country. */
const recipientIdXml = ({ tax_id: id, id_type: type, country }: RecordRecipient): string =>
  type === undefined
    ? text('NIF', id)
    : element('IDOtro', type === '02' ? '' : text('CodigoPais', country ?? ''), text('IDType', type), text('ID', id));

const idXml = (issuer: string, { number, issued_on }: NamedDocument): string =>
  `${text('IDEmisorFactura', issuer)}${text('NumSerieFactura', number)}${text('FechaExpedicionFactura', issued_on)}`;

const documentXml = (name: string, issuer: string, named: NamedDocument): string => element(name, idXml(issuer, named));

const documentsXml = (
  list: string,
  name: string,
  issuer: string,
  named: readonly NamedDocument[] | undefined,
): string => (named ? element(list, ...named.map((one) => documentXml(name, issuer, one))) : '');

/** VAT (`01`) under the general regime (`01`); what is not exempt is taxed without reverse charge (`S1`). */
function breakdownXml(field: BreakdownField): string {
  const kind = `${text('Impuesto', '01')}${text('ClaveRegimen', '01')}`;
  const amount = text('BaseImponibleOimporteNoSujeto', field.base);
  if ('exempt' in field) return element('DetalleDesglose', kind, text('OperacionExenta', field.exempt), amount);
  return element(
    'DetalleDesglose',
    kind,
    text('CalificacionOperacion', 'S1'),
    text('TipoImpositivo', field.rate),
    amount,
    text('CuotaRepercutida', field.tax),
  );
}

/** One taxpayer has one chain under one device code, so the record before has the same issuer. */
function chainXml({ previous, fields }: FiscalRecord): string {
  if (!previous) return element('Encadenamiento', text('PrimerRegistro', 'S'));
  return element(
    'Encadenamiento',
    element('RegistroAnterior', idXml(fields.issuer, previous), text('Huella', previous.hash)),
  );
}

/** To the agency each chain is an installation, with the device code as its number. */
const systemXml = (chain: string, { producer, version, isShared }: InvoicingSystem): string =>
  element(
    'SistemaInformatico',
    text('NombreRazon', fiscalText(producer.name, fieldLimits.name)),
    text('NIF', producer.taxId),
    text('NombreSistemaInformatico', systemName),
    text('IdSistemaInformatico', systemId),
    text('Version', version),
    text('NumeroInstalacion', chain),
    text('TipoUsoPosibleSoloVerifactu', 'S'),
    text('TipoUsoPosibleMultiOT', 'S'),
    text('IndicadorMultiplesOT', isShared ? 'S' : 'N'),
  );
