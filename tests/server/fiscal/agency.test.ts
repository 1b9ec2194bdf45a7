/** The stand-in for the tax agency: each rule finds a fault that is planted in what the product sends. */
import { describe, expect, test } from 'vitest';
import type { FiscalDocument, FiscalRecord } from '#domain/fiscal/record.ts';
import { readReply } from '#server/modules/fiscal/reply.ts';
import { soapMessage, submissionXml } from '#server/modules/fiscal/xml.ts';
import { TaxAgency } from '#tests/support/tax-agency.ts';
import type { ReceivedRecord } from '#tests/support/tax-agency.ts';
import { chainOf, someDocument, testIssuer } from '#tests/support/verifactu/records.ts';
import { schemaErrors } from '#tests/support/xmllint.ts';

const begin = Date.parse('2027-07-01T10:01:00+02:00');
const system = { producer: { name: 'Maker', taxId: 'A58818501' }, version: '1.0.0', isShared: false };
const number = 'INV-A1-000001';
const full: Partial<FiscalDocument> = { documentType: 'F1', recipient: { name: 'Eva Ruiz', tax_id: '12345678Z' } };
const rated = (percent: number): Partial<FiscalDocument> => ({
  totalMinor: 121_00,
  taxTotals: [
    {
      category: { rateBps: percent * 100 },
      grossMinor: 121_00,
      baseMinor: 121_00 - percent * 100,
      taxMinor: percent * 100,
    },
  ],
});

interface Sent {
  documents?: Partial<FiscalDocument>[];
  records?: readonly FiscalRecord[];
  cancels?: number[];
  isLate?: boolean;
  /** Plants a fault in the message. */
  plant?: (message: string) => string;
  atMs?: number;
}

/** An agency, and calls to it. */
function calls() {
  let nowMs = begin;
  // The form of messages has tests of its own (`xml.test.ts`).
  const agency = new TaxAgency({ clock: () => nowMs, validate: () => Promise.resolve([]) });
  const post = async (message: string) => {
    const { call, end } = agency.begin(message);
    const { message: answer } = await agency.receive(message, call);
    end();
    return answer;
  };
  const send = async ({ documents = [{}], records, cancels = [], isLate = false, plant, atMs }: Sent) => {
    nowMs = atMs ?? nowMs;
    const made =
      records ??
      chainOf(
        documents.map((document) => someDocument(document)),
        { cancels },
      );
    const message = soapMessage({ issuer: testIssuer, system, isLate, records: made });
    const planted = plant ? plant(message) : message;
    if (plant) expect(planted).not.toBe(message);
    const reply = readReply(await post(planted));
    nowMs += 60_000;
    if (reply.type !== 'answer') return [reply.type === 'fault' ? reply.message : 'unreadable'];
    return reply.records.map(({ state, code }) => (code === null ? state : `${state} ${code}`));
  };
  return { agency, send, post };
}

const replacing = (from: string | RegExp, to: string) => (message: string) => message.replace(from, to);
const exempt = '<sf:OperacionExenta>E1</sf:OperacionExenta>';
const other = (parts: string) => `<sf:IDOtro>${parts}</sf:IDOtro>`;
const nif = '<sf:NIF>12345678Z</sf:NIF>';
const tagged = (name: string, value: string) => `<sf:${name}>${value}</sf:${name}>`;

test('takes what is right', async () => {
  const { agency, send } = calls();
  expect(await send({ documents: [{}, { ...full, number: 'F-A1-000001' }], cancels: [0] })).toEqual([
    'accepted',
    'accepted',
    'accepted',
  ]);
  expect(agency.faults).toEqual([]);
});

test.each([
  { tax_id: 'X1234567', id_type: '03', country: 'FR' },
  { tax_id: 'X1234567', id_type: '03', country: 'ES' },
  { tax_id: '880692310285', id_type: '04', country: 'FR' },
  { tax_id: 'FR40303265045', id_type: '02', country: 'FR' },
  { tax_id: 'EL123456789', id_type: '02', country: 'GR' },
  { tax_id: '7-A', id_type: '05', country: 'GB' },
  { tax_id: '7-A', id_type: '06', country: 'US' },
] as const)('takes a recipient without a NIF: %j', async (id) => {
  const recipient = { name: 'Anne Martin', ...id };
  const records = chainOf([someDocument({ documentType: 'F1', recipient })]);
  const { agency, send } = calls();
  expect(await send({ records })).toEqual(['accepted']);
  expect(agency.faults).toEqual([]);
  const body = submissionXml({ issuer: testIssuer, system, isLate: false, records });
  expect(await schemaErrors('SuministroLR.xsd', [body])).toEqual([]);
});

describe('rejects a record', () => {
  test.each<[code: number, what: string, sent: Sent]>([
    [
      1108,
      'of another issuer than the header',
      {
        plant: replacing(
          `<sf:IDFactura><sf:IDEmisorFactura>${testIssuer.taxId}`,
          '<sf:IDFactura><sf:IDEmisorFactura>A58818501',
        ),
      },
    ],
    [1130, 'whose number has a forbidden character', { documents: [{ number: 'INV=1' }] }],
    [1112, 'of tomorrow', { documents: [{ issuedOn: '02-07-2027' }] }],
    [1152, 'from before the order', { documents: [{ issuedOn: '27-10-2024' }] }],
    [1173, 'of a service to come', { documents: [{ operationOn: '02-07-2027' }] }],
    [1146, 'of a service after its issue', { documents: [{ issuedOn: '29-06-2027', operationOn: '30-06-2027' }] }],
    [
      1153,
      'that says X and corrects nothing',
      { plant: replacing('<sf:TipoFactura>', `${tagged('RechazoPrevio', 'X')}<sf:TipoFactura>`) },
    ],
    [
      1161,
      'that says S and corrects nothing',
      { plant: replacing('<sf:TipoFactura>', `${tagged('RechazoPrevio', 'S')}<sf:TipoFactura>`) },
    ],
    [
      1114,
      'of a credit note without its method',
      { documents: [{ documentType: 'R5', totalMinor: -1 }], plant: replacing(tagged('TipoRectificativa', 'I'), '') },
    ],
    [
      1115,
      'of an invoice with such a method',
      { plant: replacing('<sf:DescripcionOperacion>', `${tagged('TipoRectificativa', 'I')}<sf:DescripcionOperacion>`) },
    ],
    [
      1116,
      'of an F1 that replaces',
      { documents: [{ ...full, replaces: [{ number: 'B', issued_on: '01-07-2027' }] }] },
    ],
    [1117, 'of an F2 that corrects', { documents: [{ corrects: [{ number: 'B', issued_on: '01-07-2027' }] }] }],
    [
      1139,
      'of a hundred millions that does not say so',
      { documents: [{ ...full, totalMinor: 10_000_000_000 }], plant: replacing(tagged('Macrodato', 'S'), '') },
    ],
    [1138, 'that says so for less', { plant: replacing('<sf:Desglose>', `${tagged('Macrodato', 'S')}<sf:Desglose>`) }],
    [
      1185,
      'of a full invoice without a recipient by article 6.1.d',
      {
        documents: [full],
        plant: replacing('<sf:Desglose>', `${tagged('FacturaSinIdentifDestinatarioArt61d', 'S')}<sf:Desglose>`),
      },
    ],
    [1189, 'of a full invoice without a recipient', { documents: [{ documentType: 'F1' }] }],
    [1190, 'of a simplified invoice with one', { documents: [{ ...full, documentType: 'F2' }] }],
    [
      1123,
      'whose recipient has a false check character',
      { documents: [{ ...full, recipient: { name: 'Eva', tax_id: '12345678A' } }] },
    ],
    [
      1123,
      'whose recipient is a company with a false check digit',
      { documents: [{ ...full, recipient: { name: 'Firm', tax_id: 'B65410012' } }] },
    ],
    [
      1111,
      'with a passport of no country',
      { documents: [full], plant: replacing(nif, other(tagged('IDType', '03') + tagged('ID', 'XY1'))) },
    ],
    [
      1126,
      'with a Spanish official identity card',
      {
        documents: [full],
        plant: replacing(nif, other(tagged('CodigoPais', 'ES') + tagged('IDType', '04') + tagged('ID', 'XY1'))),
      },
    ],
    [
      1126,
      'with a foreigner who is not in the Spanish census',
      {
        documents: [full],
        plant: replacing(nif, other(tagged('CodigoPais', 'FR') + tagged('IDType', '07') + tagged('ID', 'XY1'))),
      },
    ],
    [
      1103,
      'with a VAT number of another form',
      { documents: [full], plant: replacing(nif, other(tagged('IDType', '02') + tagged('ID', 'DE12'))) },
    ],
    [
      1122,
      'with a VAT number of another country',
      {
        documents: [full],
        plant: replacing(nif, other(tagged('CodigoPais', 'FR') + tagged('IDType', '02') + tagged('ID', 'DE123456789'))),
      },
    ],
    [1289, 'with E5 and a NIF', { documents: [full], plant: replacing(exempt, tagged('OperacionExenta', 'E5')) }],
    [1199, 'with E2 under the general regime', { plant: replacing(exempt, tagged('OperacionExenta', 'E2')) }],
    [1199, 'with E3 under the general regime', { plant: replacing(exempt, tagged('OperacionExenta', 'E3')) }],
    [
      1238,
      'that is exempt and has a rate',
      { plant: replacing(exempt, `${exempt}${tagged('TipoImpositivo', '21.00')}`) },
    ],
    [
      1208,
      'that is taxed without a rate',
      { documents: [rated(21)], plant: replacing(tagged('TipoImpositivo', '21.00'), '') },
    ],
    [1124, 'with a rate that no law has', { documents: [rated(20)] }],
    [1194, 'with a rate that was law in 2023', { documents: [rated(5)] }],
    [1235, 'with 2 % after 2024', { documents: [rated(2)] }],
    [1236, 'with 7.5 % after 2024', { documents: [rated(7.5)] }],
    [
      1103,
      'with a passport without a number',
      {
        documents: [full],
        plant: replacing(nif, other(tagged('CodigoPais', 'FR') + tagged('IDType', '03') + tagged('ID', ' '))),
      },
    ],
    [
      1143,
      'whose tax has another sign than its base',
      { documents: [rated(21)], plant: replacing('<sf:CuotaRepercutida>', '<sf:CuotaRepercutida>-') },
    ],
    [
      1142,
      'whose tax is not that of its base',
      {
        documents: [rated(21)],
        plant: replacing(tagged('CuotaRepercutida', '21.00'), tagged('CuotaRepercutida', '32.00')),
      },
    ],
    [1150, 'of a simplified invoice above 3,010 €', { documents: [{ totalMinor: 3_010_01 }] }],
  ])('%i: %s', async (code, _what, sent) => {
    const { send } = calls();
    expect(await send(sent)).toEqual([`rejected ${code}`]);
  });

  test('1108: of a cancellation of another issuer than the header', async () => {
    const { send } = calls();
    const plant = replacing(
      new RegExp(`<sf:IDEmisorFacturaAnulada>${testIssuer.taxId}([^]*?</sf:IDFactura>)`),
      `<sf:IDEmisorFacturaAnulada>A58818501$1${tagged('SinRegistroPrevio', 'S')}`,
    );
    expect(await send({ cancels: [0], plant })).toEqual(['accepted', 'rejected 1108']);
  });

  test('1150: not for up to ten euros more', async () => {
    const { send } = calls();
    expect(await send({ documents: [{ totalMinor: 3_010_00 }] })).toEqual(['accepted']);
  });

  test('and takes the others of the call', async () => {
    const { agency, send } = calls();
    const documents = [{}, { number: 'F-A1-000001', documentType: 'F1' as const }, { number: 'INV-A1-000002' }];
    expect(await send({ documents })).toEqual(['accepted', 'rejected 1189', 'accepted']);
    expect(agency.records).toHaveLength(2);
  });
});

describe('admits with errors', () => {
  test.each<[code: number, what: string, sent: Sent]>([
    [2000, 'a hash that is not of the record', { plant: replacing(/<sf:Huella>.{4}/, '<sf:Huella>0000') }],
    [
      2001,
      'a recipient whom the census lacks',
      { documents: [{ ...full, recipient: { name: 'Eva', tax_id: '00000000T' } }] },
    ],
    [
      2005,
      'a total that is not the sum',
      { plant: replacing(tagged('ImporteTotal', '60.00'), tagged('ImporteTotal', '71.00')) },
    ],
    [
      2006,
      'a tax that is not the sum',
      { plant: replacing(tagged('CuotaTotal', '0.00'), tagged('CuotaTotal', '11.00')) },
    ],
    [2004, 'a record that is late and does not say so', { atMs: begin + 181_000 }],
    [2004, 'a record from ahead of its clock, late or not', { atMs: begin - 301_000, isLate: true }],
  ])('%i: %s', async (code, _what, sent) => {
    const { agency, send } = calls();
    agency.isKnown = (known) => known !== '00000000T';
    expect(await send(sent)).toEqual([`accepted_with_errors ${code}`]);
    expect(agency.records).toHaveLength(1);
  });

  test('2000: the hash of a cancellation that is not of it', async () => {
    const { send } = calls();
    const plant = (message: string) => {
      const at = message.lastIndexOf('<sf:Huella>') + '<sf:Huella>'.length;
      return `${message.slice(0, at)}0000${message.slice(at + 4)}`;
    };
    expect(await send({ cancels: [0], plant })).toEqual(['accepted', 'accepted_with_errors 2000']);
  });

  test('2003: a hash of the record before that is none', async () => {
    const { agency, send } = calls();
    const documents = [{}, { number: 'INV-A1-000002' }];
    const plant = replacing(/(<sf:RegistroAnterior>[^]*?<sf:Huella>)[0-9A-F]{64}/, '$1abc');
    expect(await send({ documents, plant })).toEqual(['accepted', 'accepted_with_errors 2003']);
    expect(agency.faults).toEqual([expect.stringContaining('does not follow the chain')]);
  });

  test('2004: not what says that it is late, however late', async () => {
    const { send } = calls();
    expect(await send({ atMs: begin + 86_400_000, isLate: true })).toEqual(['accepted']);
  });

  test('2007: a chain that begins twice', async () => {
    const { agency, send } = calls();
    await send({});
    expect(await send({ documents: [{ number: 'INV-A1-000002' }] })).toEqual(['accepted_with_errors 2007']);
    expect(agency.faults).toEqual([expect.stringContaining('does not follow the chain')]);
  });
});

describe('refuses a call', () => {
  const many = Array.from({ length: 1001 }, (_, index) => ({ number: `INV-A1-${index}` }));
  test.each<[code: number, what: string, sent: Sent]>([
    [
      4104,
      'of a taxpayer whom the census lacks',
      { plant: replacing(`<sf:NIF>${testIssuer.taxId}`, '<sf:NIF>00000000T') },
    ],
    [4106, 'with a day that no calendar has', { documents: [{ issuedOn: '31-06-2027' }] }],
    [4113, 'of more than a thousand records', { documents: many }],
    [4116, 'of a taxpayer with a malformed NIF', { plant: replacing(`<sf:NIF>${testIssuer.taxId}`, '<sf:NIF>B-1') }],
    [4119, 'with bytes that are no UTF-8', { documents: [{ description: 'a\ufffdb' }] }],
  ])('%i: %s', async (code, _what, sent) => {
    const { agency, send } = calls();
    agency.isKnown = (known) => known !== '00000000T';
    expect(await send(sent)).toEqual([expect.stringContaining(`Codigo[${code}]`)]);
    expect(agency.records).toEqual([]);
  });

  test.each([
    [4102, 'of another form', replacing('<sf:IDVersion>1.0</sf:IDVersion>', '')],
    [4103, 'that is no XML', replacing('</sfLR:RegFactuSistemaFacturacion>', '')],
  ])('%i: %s', async (code, _what, plant) => {
    const agency = new TaxAgency({ clock: () => begin });
    const message = plant(
      soapMessage({ issuer: testIssuer, system, isLate: false, records: chainOf([someDocument()]) }),
    );
    const { call } = agency.begin(message);
    expect((await agency.receive(message, call)).message).toContain(`Codigo[${code}]`);
  });

  test('for one record, and takes nothing of it', async () => {
    const { agency, send } = calls();
    agency.refusesFor = (record) => (record.number === number ? 4109 : undefined);
    expect(await send({ documents: [{}, { number: 'INV-A1-000002' }] })).toEqual([expect.stringContaining('4109')]);
    expect(agency.records).toEqual([]);
  });
});

describe('notes what a careful sender never does', () => {
  const message = soapMessage({ issuer: testIssuer, system, isLate: false, records: chainOf([someDocument()]) });
  const next = soapMessage({
    issuer: testIssuer,
    system,
    isLate: false,
    records: chainOf([someDocument({ number: 'INV-B2-000001' })], { chain: 'B2' }),
  });

  test('a call before the wait is over', async () => {
    const { agency, post } = calls();
    await post(message);
    expect(await post(next)).toContain('tiempo de espera');
    expect(agency.faults).toEqual([expect.stringContaining('60 s too early')]);
    expect(agency.records).toHaveLength(1);
  });

  test('two calls of a taxpayer at a time', () => {
    const { agency } = calls();
    agency.begin(message);
    agency.begin(next);
    expect(agency.faults).toEqual([expect.stringContaining('two calls at a time')]);
  });

  test('an end of VERI*FACTU within the year', async () => {
    const { agency, send } = calls();
    const plant = replacing(
      '</sf:ObligadoEmision>',
      `</sf:ObligadoEmision><sf:RemisionVoluntaria>${tagged('FechaFinVeriFactu', '30-06-2027')}</sf:RemisionVoluntaria>`,
    );
    await send({ plant });
    expect(agency.faults).toEqual([expect.stringContaining('leaves VERI*FACTU on 30-06-2027')]);
  });
});

describe('by what it has of a document', () => {
  const amended = (rejection: string) =>
    replacing('<sf:TipoFactura>', `${tagged('Subsanacion', 'S')}${tagged('RechazoPrevio', rejection)}<sf:TipoFactura>`);
  const flagged = (flags: string) =>
    replacing(
      /(<sf:FechaExpedicionFacturaAnulada>[^<]*<\/sf:FechaExpedicionFacturaAnulada><\/sf:IDFactura>)/,
      `$1${flags}`,
    );
  const [issued, cancelled] = chainOf([someDocument()], { cancels: [0] }) as [FiscalRecord, FiscalRecord];
  const [again] = chainOf([someDocument({ description: 'Otra' })], { chain: 'B2' }) as [FiscalRecord];
  const unregistered = tagged('SinRegistroPrevio', 'S');

  test.each<[what: string, before: Sent[], sent: Sent, expected: string, fault?: string]>([
    ['the same record twice is a duplicate', [{ records: [issued] }], { records: [issued] }, 'rejected 3000'],
    [
      'another record of its number is a duplicate',
      [{ records: [issued] }],
      { documents: [{ totalMinor: 1 }] },
      'rejected 3000',
      'another hash',
    ],
    [
      'a correction of nothing has no place',
      [],
      { records: [again], plant: amended('N') },
      'rejected 3002',
      'cannot place',
    ],
    [
      'a correction of what is there, as if it were not',
      [{ records: [issued] }],
      { documents: [{ totalMinor: 1 }], plant: amended('X') },
      'rejected 3000',
      'cannot place',
    ],
    ['a correction of what it never took is taken', [], { records: [issued], plant: amended('X') }, 'accepted'],
    ['a cancellation of nothing has no place', [], { records: [cancelled] }, 'rejected 3002', 'follow'],
    [
      'a cancellation of what it never took is taken',
      [],
      { records: [cancelled], plant: flagged(unregistered) },
      'accepted',
      'follow',
    ],
    [
      'a cancellation of what is there, as if it were not',
      [{ records: [issued] }],
      { records: [cancelled], plant: flagged(unregistered) },
      'rejected 3000',
      'not there',
    ],
    [
      'a cancellation after a rejected one that there was not',
      [{ records: [issued] }],
      { records: [cancelled], plant: flagged(tagged('RechazoPrevio', 'S')) },
      'accepted',
      'no rejected one',
    ],
    ['the same cancellation twice', [{ records: [issued, cancelled] }], { records: [cancelled] }, 'rejected 3001'],
  ])('%s', async (_what, before, sent, expected, fault) => {
    const { agency, send } = calls();
    for (const each of before) await send({ isLate: true, ...each });
    expect(await send({ isLate: true, ...sent })).toEqual([expected]);
    const found = agency.faults.filter((each) => !/2007/.test(each));
    if (fault === undefined) expect(found).toEqual([]);
    else expect(found.join('\n')).toContain(fault);
  });
});

describe('answers a query', () => {
  const query = (inner: string, period = '07') =>
    '<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Body><c:ConsultaFactuSistemaFacturacion xmlns:c="c" xmlns:sf="s"><c:Cabecera>' +
    `<sf:IDVersion>1.0</sf:IDVersion><sf:ObligadoEmision><sf:NombreRazon>A</sf:NombreRazon><sf:NIF>${testIssuer.taxId}</sf:NIF></sf:ObligadoEmision></c:Cabecera>` +
    `<c:FiltroConsulta><c:PeriodoImputacion><sf:Ejercicio>2027</sf:Ejercicio><sf:Periodo>${period}</sf:Periodo></c:PeriodoImputacion>${inner}</c:FiltroConsulta>` +
    '</c:ConsultaFactuSistemaFacturacion></soapenv:Body></soapenv:Envelope>';
  const told = (answer: string) =>
    [...answer.matchAll(/<sf:NumSerieFactura>([^<]*)<.*?<r:EstadoRegistro>([^<]+)</g)].map(
      ([, name, state]) => `${name} ${state}`,
    );

  test('by period and number, page by page, with what became of each record', async () => {
    const { agency, send, post } = calls();
    agency.judge = ({ number: name }: ReceivedRecord) =>
      name === 'INV-A1-000002' ? { state: 'AceptadoConErrores', code: 2001, message: 'NIF' } : undefined;
    const documents = [{}, { number: 'INV-A1-000002' }, { number: 'INV-A1-000003' }];
    await send({ documents, cancels: [2] });
    const all = [`${number} Correcto`, 'INV-A1-000002 AceptadoConErrores', 'INV-A1-000003 Anulado'];
    expect(told(await post(query('')))).toEqual(all);
    expect(await post(query(''))).toContain(`<r:Huella>${agency.records[0]!.hash}</r:Huella>`);
    expect(await post(query('', '08'))).toContain('SinDatos');
    expect(told(await post(query(tagged('NumSerieFactura', 'INV-A1-000002'))))).toEqual(all.slice(1, 2));
    agency.mostPerQuery = 2;
    const page = await post(query(''));
    expect(page).toContain('<r:IndicadorPaginacion>S');
    const key = /<r:ClavePaginacion>.*<\/r:ClavePaginacion>/.exec(page)![0];
    expect(told(await post(query(key.replaceAll('r:', 'c:'))))).toEqual(all.slice(2));
  });
});
