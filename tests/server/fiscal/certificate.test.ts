/** A clinic's certificate: its upload, its storage, and a call over TLS that demands it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SendingStatus } from '#domain/fiscal/resources.ts';
import { problemCatalogue } from '#domain/problems.ts';
import { certificateFacts, openCertificate, sealCertificate, taxIdOf } from '#server/modules/fiscal/certificate.ts';
import { maxRounds, roundsOf } from '#server/modules/fiscal/pkcs12-rounds.ts';
import { readReply } from '#server/modules/fiscal/reply.ts';
import { agencyOver } from '#server/modules/fiscal/transport.ts';
import { soapMessage } from '#server/modules/fiscal/xml.ts';
import { makeCertificate } from '#tests/support/client-certificate.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { startTaxAuthority } from '#tests/support/tax-authority.ts';
import { settings as taxedClinic } from '#tests/support/taxed-visit.ts';
import { chainOf, someDocument, testIssuer } from '#tests/support/verifactu/records.ts';

const passphrase = 'una contraseña';
const { pkcs12 } = makeCertificate({ days: 20, passphrase });
const encoded = pkcs12.toString('base64');
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

describe('a sealed certificate', () => {
  const secret = Buffer.alloc(32, 7);
  const certificate = { pkcs12: Buffer.from('a secret file'), passphrase };

  test('opens for its clinic, under its secret', () => {
    expect(openCertificate(sealCertificate(certificate, 1, secret), 1, secret)).toEqual(certificate);
  });

  test('shows nothing, and opens neither for others nor when it is changed', () => {
    const sealed = sealCertificate(certificate, 1, secret);
    expect(sealed.includes('secret')).toBe(false);
    expect(() => openCertificate(sealed, 2, secret)).toThrow();
    expect(() => openCertificate(sealed, 1, Buffer.alloc(32, 8))).toThrow();
    for (const at of [0, 12, 28, sealed.length - 1]) {
      const changed = Buffer.from(sealed);
      changed[at]! ^= 1;
      expect(() => openCertificate(changed, 1, secret)).toThrow();
    }
  });

  test.each([
    ['C=ES\nserialNumber=IDCES-12345678Z\nCN=ANA', '12345678Z'],
    ['C=ES\nserialNumber=12345678Z\nCN=ANA', '12345678Z'],
    ['C=ES\nserialNumber=IDCES-12345678Z\norganizationIdentifier=VATES-B65410011\nCN=ANA', 'B65410011'],
    ['C=ES\nCN=ANA + serialNumber=IDCES-X1234567L', 'X1234567L'],
    ['C=PT\nserialNumber=TINPT-123456789\nCN=serialNumber=12345678Z', null],
    ['C=ES\nCN=ANA', null],
  ])('names the tax number of the company or else of the person: %j', (subject, taxId) => {
    expect(taxIdOf(subject)).toBe(taxId);
  });

  test('says its holder and its end', async () => {
    const facts = await certificateFacts({ pkcs12, passphrase });
    expect(facts?.holder).toBe('CLINICA NANDU SL');
    expect(Math.round((facts!.expiresAtMs - Date.now()) / 86_400_000)).toBe(20);
    expect(await certificateFacts({ pkcs12, passphrase: 'wrong' })).toBeNull();
    expect(await certificateFacts({ pkcs12: Buffer.from('nothing'), passphrase })).toBeNull();
  });

  test('states its rounds, and one with too many is not opened at all', async () => {
    const usual = roundsOf(pkcs12);
    expect(usual).toBeGreaterThanOrEqual(2048);
    expect(usual).toBeLessThan(maxRounds / 10);
    const many = makeCertificate({ days: 20, passphrase, rounds: 600_000 }).pkcs12;
    expect(roundsOf(many)).toBeGreaterThan(maxRounds);
    expect(await certificateFacts({ pkcs12: many, passphrase })).toBeNull();
    // One that an earlier version has stored is not opened for a call either.
    const call = agencyOver('https://127.0.0.1:9').call('', { pkcs12: many, passphrase });
    await expect(call).rejects.toThrow('too many rounds');
  });

  test.each(['', '30', '3080', '04ff', '30847fffffff00', 'ff'.repeat(50), '3003020101'.repeat(1000)])(
    'hostile bytes have no rounds that harm: %s',
    (hex) => expect(roundsOf(Buffer.from(hex, 'hex'))).toBeLessThan(maxRounds),
  );

  test('bytes that are nested without end count as too many rounds', () => {
    const nested = Array.from({ length: 200 }).reduce<Buffer>(
      (inner) => Buffer.concat([Buffer.from([0x30, 0x82, inner.length >> 8, inner.length & 255]), inner]),
      Buffer.alloc(0),
    );
    expect(roundsOf(nested)).toBeGreaterThan(maxRounds);
  });
});

test('a call over TLS presents the certificate', async () => {
  // OpenSSL compares a certificate with the real time, whatever the time of the run is.
  const lasting = makeCertificate({ days: 36_500, passphrase });
  const { cert, key } = lasting;
  const tls = { key, cert, ca: cert };
  // The agency has the day of the record.
  const authority = await startTaxAuthority({ clock: () => Date.parse('2027-07-01T10:01:00+02:00'), tls });
  try {
    const agency = agencyOver(authority.url, { timeoutMs: 5000, ca: cert });
    const message = soapMessage({
      issuer: testIssuer,
      system: { producer: testIssuer, version: '1.0.0', isShared: false },
      isLate: false,
      records: chainOf([someDocument()]),
    });
    const reply = readReply(await agency.call(message, { pkcs12: lasting.pkcs12, passphrase }));
    expect(reply).toMatchObject({ type: 'answer', records: [{ state: 'accepted' }] });
    // The agency of the outside world is not signed by ours, and so is not believed.
    await expect(agencyOver(authority.url).call(message, { pkcs12: lasting.pkcs12, passphrase })).rejects.toThrow();
    expect(authority.faults).toEqual([]);
  } finally {
    await authority.close();
  }
});

describe('the upload', () => {
  const upload = async (role: 'admin' | 'manager', payload: object) => {
    const headers = { authorization: `Bearer ${await server.login(role)}` };
    const reply = await server.app.inject({ method: 'PUT', url: '/api/fiscal/certificate', headers, payload });
    return { status: reply.statusCode, body: reply.json<{ data: object; details?: object }>() };
  };
  const status = async (): Promise<SendingStatus> => {
    const headers = { authorization: `Bearer ${await server.login('manager')}` };
    const reply = await server.app.inject({ url: '/api/fiscal/sending', headers });
    return reply.json<{ data: SendingStatus }>().data;
  };

  test('keeps the certificate sealed, and tells its holder and end alone', async () => {
    const none = { unsent: 0, accepted: 0, accepted_with_errors: 0, rejected: 0, not_sent: 0 };
    expect(await status()).toEqual({
      can_send: false,
      unsent_since: null,
      counts: none,
      last_reply_at: null,
      next_call_at: null,
      failures: 0,
      certificate: null,
    });
    const { status: code, body } = await upload('admin', { pkcs12: encoded, passphrase });
    expect(code).toBe(200);
    const resource = { holder: 'CLINICA NANDU SL', expires_at: expect.any(String) as string, other_tax_id: null };
    expect(body.data).toEqual(resource);
    expect((await status()).certificate).toEqual(body.data);
    const { rows } = await server.database.$client.query<{ sealed: Buffer }>('select sealed from fiscal_certificates');
    expect(openCertificate(rows[0]!.sealed, server.clinicId, server.secret)).toEqual({
      pkcs12,
      passphrase,
    });
    const { rows: entries } = await server.database.$client.query<{ details: object }>(
      `select details from audit_log where action = 'settings.certificate'`,
    );
    expect(entries).toEqual([{ details: { holder: 'CLINICA NANDU SL' } }]);
  });

  test('is warned of a certificate that names another NIF, which is kept all the same', async () => {
    const headers = { authorization: `Bearer ${await server.login('admin')}` };
    const { legal_name, tax_id, address, postal_code, city } = taxedClinic;
    const issuer = { tax_profile: 'ES', legal_name, tax_id, address, postal_code, city };
    const saved = await server.app.inject({ method: 'PUT', url: '/api/settings', headers, payload: issuer });
    expect(saved.statusCode).toBe(200);
    const representative = '/serialNumber=IDCES-12345678Z/organizationIdentifier=VATES-';
    for (const [names, other] of [
      [`${representative}${tax_id}`, null],
      [`${representative}A58818501`, 'A58818501'],
      ['/serialNumber=12345678Z', '12345678Z'],
      ['', null],
    ] as const) {
      const made = makeCertificate({ names, passphrase }).pkcs12.toString('base64');
      const { status: code, body } = await upload('admin', { pkcs12: made, passphrase });
      expect([code, body.data], names).toMatchObject([200, { other_tax_id: other }]);
      expect((await status()).certificate, names).toEqual(body.data);
    }
  });

  test('takes the place of the certificate that was seen alone', async () => {
    const newer = makeCertificate({ days: 400, passphrase }).pkcs12.toString('base64');
    await upload('admin', { pkcs12: encoded, passphrase });
    const seenOf = async () => {
      const { holder, expires_at } = (await status()).certificate!;
      return { holder, expires_at };
    };
    const seen = await seenOf();
    expect((await upload('admin', { pkcs12: newer, passphrase, seen })).status).toBe(200);
    const now = await seenOf();
    expect(now).not.toEqual(seen);
    for (const old of [seen, { holder: null, expires_at: null }]) {
      const refused = await upload('admin', { pkcs12: encoded, passphrase, seen: old });
      expect(refused).toMatchObject({ status: 409, body: { code: 'CHANGED_MEANWHILE' } });
      expect(refused.body.details).toHaveProperty('expires_at', now.expires_at);
      expect(await seenOf()).toEqual(now);
    }
    expect((await upload('admin', { pkcs12: encoded, passphrase, seen: now })).status).toBe(200);
  });

  test('a wrong passphrase is refused', async () => {
    const wrong = await upload('admin', { pkcs12: encoded, passphrase: 'wrong' });
    expect([wrong.status, wrong.body.details]).toEqual([400, { pkcs12: problemCatalogue.CERTIFICATE_UNREADABLE }]);
  });
});
