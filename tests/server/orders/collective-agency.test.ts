/** What the strict stand-in for the tax agency says of a collective invoice, and of what corrects one. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CollectiveInvoice } from '#domain/order/collective.ts';
import { saveCertificate } from '#server/modules/fiscal/certificate-store.ts';
import { sealCertificate } from '#server/modules/fiscal/certificate.ts';
import { FiscalSender } from '#server/modules/fiscal/sender.ts';
import { agencyOver } from '#server/modules/fiscal/transport.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { startTaxAuthority } from '#tests/support/tax-authority.ts';
import type { TaxAuthority } from '#tests/support/tax-authority.ts';
import { settings } from '#tests/support/taxed-visit.ts';

const dayMs = 86_400_000;
const { legal_name, tax_id, address, postal_code, city } = settings;
const insurer = {
  name: 'Seguros Norte & Hijos, S.A.',
  tax_id: 'A58818501',
  address: 'Gran Vía 10',
  postal_code: '28013',
  city: 'Madrid',
};
/** A foreign employer has a VAT number in the place of a NIF. */
const employer = {
  name: 'Usine de Lyon',
  tax_id: 'FR40303265045',
  id_type: '02',
  country: 'FR',
  address: '1 rue de la République, Lyon',
  postal_code: '',
  city: '',
};

let nowMs = Date.parse('2027-05-20T10:00:00+02:00');
let server: TestServer;
let authority: TaxAuthority;
let token: string;
let crown: number;
let brush: number;
let messages: string[];

const call = async (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) => {
  const headers = { authorization: `Bearer ${token}` };
  const reply = await server.app.inject({ method, url: `/api${url}`, headers, ...(payload && { payload }) });
  expect(reply.statusCode, reply.body).toBeLessThan(300);
  return reply.json().data;
};
const order = async (product: number, quantity: number): Promise<string> =>
  (await call('POST', '/orders', { items: [{ product_id: product, quantity }] })).id;
const issue = (order_ids: string[], total_amount: number, recipient: object = insurer): Promise<CollectiveInvoice> =>
  call('POST', '/collective-invoices', { order_ids, recipient, total_amount });

async function passDays(days: number): Promise<void> {
  nowMs += days * dayMs;
  token = await server.login('admin');
}

/** Sends all that is unsent, and returns what the agency took, with the text of each record. */
async function sent(): Promise<{ number: string; xml: string }[]> {
  const before = authority.records.length;
  const over = agencyOver(authority.url, { timeoutMs: 5000 });
  const sender = new FiscalSender(
    {
      database: server.database,
      clock: () => nowMs,
      secret: server.secret,
      agency: {
        call: (message, certificate) => {
          messages.push(message);
          return over.call(message, certificate);
        },
      },
      producer: { name: 'Maker', taxId: 'B65410011' },
    },
    (error) => {
      throw error;
    },
  );
  for (let look = 0; look < 20; look++) {
    await sender.look();
    nowMs += 10_000;
  }
  expect(authority.faults).toEqual([]);
  const { rows } = await server.database.$client.query<{ state: string; code: number | null }>(
    `select state, code from fiscal_sendings`,
  );
  expect(rows.filter(({ state, code }) => state !== 'accepted' || code !== null)).toEqual([]);
  return authority.records.slice(before).map(({ number }) => ({ number, xml: xmlOf(number) }));
}

const xmlOf = (number: string): string =>
  messages
    .flatMap((message) => [...message.matchAll(/<sf:RegistroAlta>[^]*?<\/sf:RegistroAlta>/g)].map(([xml]) => xml))
    .find((xml) => field(xml, 'NumSerieFactura') === number)!;
const field = (xml: string, name: string): string | undefined => new RegExp(`<sf:${name}>([^<]*)<`).exec(xml)?.[1];
const part = (xml: string, name: string): string => new RegExp(`<sf:${name}>[^]*?</sf:${name}>`).exec(xml)?.[0] ?? '';

beforeAll(async () => {
  server = await startTestServer({ now: () => nowMs });
  token = await server.login('admin');
  await call('PUT', '/settings', { tax_profile: 'ES', legal_name, tax_id, address, postal_code, city });
  await call('PUT', '/settings', { verifactu_since: '2027-05-20' });
  const certificate = { pkcs12: Buffer.from('a file'), passphrase: 'open' };
  await saveCertificate(server.database.$client, server.clinicId, {
    sealed: sealCertificate(certificate, server.clinicId, server.secret),
    holder: legal_name,
    taxId: null,
    expiresAtMs: nowMs + 365 * dayMs,
    atMs: nowMs,
  });
  crown = (await call('POST', '/products', { name: 'Crown', price: 310, tax: 'E1' })).id;
  brush = (await call('POST', '/products', { name: 'Brush', price: 6.05, tax: 'standard' })).id;
  authority = await startTaxAuthority({ clock: () => nowMs });
});
afterAll(async () => {
  await authority.close();
  await server.close();
});
beforeEach(() => {
  messages = [];
});

describe('the tax agency takes without errors', () => {
  let treatments: string[];
  let issued: CollectiveInvoice;

  test('the record of a collective invoice: its payer, the day of the last service, its amounts by tax', async () => {
    treatments = [await order(crown, 2), await order(brush, 3)];
    await passDays(1);
    treatments.push(await order(crown, 1));
    await passDays(13);
    issued = await issue(treatments, 948.15);
    const [record, ...others] = await sent();
    expect(others).toEqual([]);
    expect(record!.number).toBe(issued.invoice_number);
    const { xml } = record!;
    expect(field(xml, 'TipoFactura')).toBe('F1');
    expect(field(xml, 'FechaExpedicionFactura')).toBe('03-06-2027');
    expect(field(xml, 'FechaOperacion')).toBe('21-05-2027');
    expect(part(xml, 'IDDestinatario')).toBe(
      '<sf:IDDestinatario><sf:NombreRazon>Seguros Norte &amp; Hijos, S.A.</sf:NombreRazon><sf:NIF>A58818501</sf:NIF></sf:IDDestinatario>',
    );
    expect([field(xml, 'CuotaTotal'), field(xml, 'ImporteTotal')]).toEqual(['3.15', '948.15']);
    const breakdown = [...xml.matchAll(/<sf:DetalleDesglose>[^]*?<\/sf:DetalleDesglose>/g)].map(([text]) => [
      field(text, 'OperacionExenta') ?? field(text, 'TipoImpositivo'),
      field(text, 'BaseImponibleOimporteNoSujeto'),
      field(text, 'CuotaRepercutida'),
    ]);
    expect(breakdown).toEqual([
      ['E1', '930.00', undefined],
      ['21.00', '15.00', '3.15'],
    ]);
  });

  test('its R1 after a refund, and its R4 after a cancel, each to the payer and without what was typed', async () => {
    const [paid, , cancelled] = treatments as [string, string, string];
    await call('POST', `/orders/${paid}/payments`, { payment_method: 'card', amount: 620 });
    await call('POST', `/orders/${paid}/refunds`, { amount: 310, reason: 'Ana Gil moved away' });
    await call('PUT', `/orders/${cancelled}/status`, { status: 'cancelled', notes: 'Ana Gil never came' });
    const records = await sent();
    expect(records.map(({ xml }) => [field(xml, 'TipoFactura'), field(xml, 'ImporteTotal')])).toEqual([
      ['R1', '-310.00'],
      ['R4', '-310.00'],
    ]);
    for (const { xml } of records) {
      expect(field(xml, 'TipoRectificativa')).toBe('I');
      expect(part(xml, 'FacturasRectificadas')).toContain(`>${issued.invoice_number}<`);
      expect(part(xml, 'FacturasRectificadas')).toContain('>03-06-2027<');
      expect(part(xml, 'IDDestinatario')).toContain(insurer.tax_id);
      expect(xml).not.toMatch(/Ana Gil|Crown|T-/);
    }
  });

  test('one to a foreign employer, of the day of its services, with what is withheld in no amount', async () => {
    const body = {
      order_ids: [await order(crown, 1)],
      recipient: employer,
      total_amount: 310,
      retention_percentage: 15,
    };
    await call('POST', '/collective-invoices', body);
    const [{ xml } = { xml: '' }] = await sent();
    expect(part(xml, 'IDOtro')).toBe('<sf:IDOtro><sf:IDType>02</sf:IDType><sf:ID>FR40303265045</sf:ID></sf:IDOtro>');
    expect(field(xml, 'ImporteTotal')).toBe('310.00');
    expect(field(xml, 'FechaOperacion')).toBeUndefined();
  });
});
