/** Client certificates as clinics have them, made with openssl. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface TestCertificate {
  /** The PKCS#12 file. */
  pkcs12: Buffer;
  cert: Buffer;
  key: Buffer;
}

/**
 * @param holder the common name of the subject
 * @param names the tax numbers of the subject, as `/serialNumber=IDCES-…/organizationIdentifier=VATES-…`
 */
export function makeCertificate({
  holder = 'CLINICA NANDU SL',
  names = '',
  days = 90,
  passphrase,
}: {
  holder?: string;
  names?: string;
  days?: number;
  passphrase: string;
}): TestCertificate {
  const folder = mkdtempSync(path.join(tmpdir(), 'dental-counter-certificate-'));
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const file = (name: string) => readFileSync(path.join(folder, name));
  try {
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', 'key.pem'];
    const subject = ['-subj', `/C=ES${names}/CN=${holder}`, '-addext', 'subjectAltName=IP:127.0.0.1'];
    openssl('req', '-x509', ...key, '-out', 'cert.pem', '-days', String(days), ...subject);
    const files = ['-inkey', 'key.pem', '-in', 'cert.pem', '-out', 'c.p12'];
    openssl('pkcs12', '-export', ...files, '-passout', `pass:${passphrase}`);
    return { pkcs12: file('c.p12'), cert: file('cert.pem'), key: file('key.pem') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
