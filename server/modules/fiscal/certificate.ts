/** A clinic's certificate for the tax agency: a PKCS#12 file, kept encrypted under a key of the token secret. */
import { execFile } from 'node:child_process';
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, X509Certificate } from 'node:crypto';
import { isTaxId, normalTaxId } from '#domain/tax/tax-id.ts';
import { maxRounds, roundsOf } from './pkcs12-rounds.ts';

export interface ClientCertificate {
  pkcs12: Buffer;
  passphrase: string;
}

export interface CertificateFacts {
  holder: string;
  /** The tax number in the certificate; a representative's certificate names the company's. Null without one. */
  taxId: string | null;
  expiresAtMs: number;
}

const nonceBytes = 12;
const tagBytes = 16;

const keyOf = (secret: Uint8Array): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', 'dental-counter certificate', 32));

/** @param clinicId the only clinic for which the sealed certificate opens */
export function sealCertificate(
  { pkcs12, passphrase }: ClientCertificate,
  clinicId: number,
  secret: Uint8Array,
): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), nonce).setAAD(Buffer.from(String(clinicId)));
  const content = JSON.stringify({ pkcs12: pkcs12.toString('base64'), passphrase });
  const sealed = Buffer.concat([cipher.update(content, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** @throws Error when it was sealed under another secret, or changed */
export function openCertificate(sealed: Buffer, clinicId: number, secret: Uint8Array): ClientCertificate {
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), sealed.subarray(0, nonceBytes))
    .setAAD(Buffer.from(String(clinicId)))
    .setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
  const content = decipher.update(sealed.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8');
  const { pkcs12, passphrase } = JSON.parse(content) as { pkcs12: string; passphrase: string };
  return { pkcs12: Buffer.from(pkcs12, 'base64'), passphrase };
}

const attributesOfTaxIds = ['organizationIdentifier', 'serialNumber'];

/** Returns the first value of an attribute of a subject, whose attributes stand on lines or between plus signs. */
function attributeOf(subject: string, name: string): string | undefined {
  const attributes = subject.split(/[+\n]/).map((attribute) => attribute.trim());
  return attributes.find((attribute) => attribute.startsWith(`${name}=`))?.slice(name.length + 1);
}

/**
 * Returns the tax number of a subject by ETSI EN 319 412-1: of an organisation (`VATES-`), or else of the person (`IDCES-`),
 * whose number certificates of earlier years bear alone.
 */
export function taxIdOf(subject: string): string | null {
  const numbers = attributesOfTaxIds.map((name) =>
    normalTaxId((attributeOf(subject, name) ?? '').trim().replace(/^(VAT|IDC|TIN)ES-/i, '')),
  );
  return numbers.find(isTaxId) ?? null;
}

/** Node reads PKCS#12 only for connections; the context has the certificate that the connection would present. */
const opener = `
  import { createSecureContext } from 'node:tls';
  import { text } from 'node:stream/consumers';
  const { pkcs12, passphrase } = JSON.parse(await text(process.stdin));
  const begun = performance.now();
  const { context } = createSecureContext({ pfx: Buffer.from(pkcs12, 'base64'), passphrase });
  const certificate = context.getCertificate?.()?.toString('base64') ?? null;
  process.stdout.write(JSON.stringify({ certificate, tookMs: performance.now() - begun }));
`;

/** Each call to the agency opens the file again, in the server's own process. */
const mostOpeningMs = 1000;
const openingTimeoutMs = 5000;

/**
 * Opens a foreign file in a process of its own, because OpenSSL does not stop before it is done. The encrypted part may state more
 * rounds than can be read, so the time has a limit as well.
 */
function presentedCertificate({ pkcs12, passphrase }: ClientCertificate): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['--input-type=module', '--eval', opener],
      { timeout: openingTimeoutMs, killSignal: 'SIGKILL', env: {}, maxBuffer: 1024 * 1024 },
      (error, output) => {
        if (error) return resolve(null);
        const { certificate, tookMs } = JSON.parse(output) as { certificate: string | null; tookMs: number };
        return resolve(certificate === null || tookMs > mostOpeningMs ? null : Buffer.from(certificate, 'base64'));
      },
    );
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(JSON.stringify({ pkcs12: pkcs12.toString('base64'), passphrase }));
  });
}

/** Returns what a certificate says; null when it cannot be opened with the passphrase, or not within a second. */
export async function certificateFacts(certificate: ClientCertificate): Promise<CertificateFacts | null> {
  if (roundsOf(certificate.pkcs12) > maxRounds) return null;
  const presented = await presentedCertificate(certificate);
  if (!presented) return null;
  const { subject, validTo } = new X509Certificate(presented);
  const lines = subject.split('\n');
  const name = lines.find((line) => line.startsWith('CN='))?.slice('CN='.length) ?? lines.join(', ');
  return { holder: name.slice(0, 200), taxId: taxIdOf(subject), expiresAtMs: Date.parse(validTo) };
}
