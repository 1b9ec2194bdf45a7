/** Client certificates as clinics have them, made with openssl. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface TestCertificate {
  /** The PKCS#12 file. */
  pkcs12: Buffer;
  cert: Buffer;
  key: Buffer;
}

/** What `openssl ca` needs to date a certificate; `openssl req` lets it begin at the real time only. */
const configuration = `[ca]
default_ca = own
[own]
database = index.txt
serial = serial.txt
new_certs_dir = .
default_md = sha256
policy = any
x509_extensions = extensions
unique_subject = no
preserve = yes
[any]
countryName = optional
serialNumber = optional
organizationIdentifier = optional
commonName = supplied
[extensions]
basicConstraints = CA:TRUE
subjectAltName = IP:127.0.0.1
`;

const dayMs = 86_400_000;
/** The time as openssl writes it: YYYYMMDDHHMMSSZ. */
const asn1Time = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+/, '').replaceAll(/[-:T]/g, '');
/** The clock of OpenSSL, which the clock of a test run does not move. */
const realNowMs = (): number => performance.timeOrigin + performance.now();

/**
 * Makes a certificate that begins before the time of the run and the real time, and ends a number of days after the time of the run.
 *
 * @param holder the common name of the subject
 * @param names the tax numbers of the subject, as `/serialNumber=IDCES-…/organizationIdentifier=VATES-…`
 */
export function makeCertificate({
  holder = 'CLINICA NANDU SL',
  names = '',
  days = 90,
  passphrase,
  rounds,
}: {
  holder?: string;
  names?: string;
  days?: number;
  passphrase: string;
  /** How often the passphrase is hashed; by default as often as openssl does it. */
  rounds?: number;
}): TestCertificate {
  const folder = mkdtempSync(path.join(tmpdir(), 'dental-counter-certificate-'));
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const file = (name: string) => readFileSync(path.join(folder, name));
  const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text);
  try {
    write('ca.cnf', configuration);
    write('index.txt', '');
    write('serial.txt', '01\n');
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', 'key.pem'];
    openssl('req', '-new', ...key, '-out', 'request.pem', '-subj', `/C=ES${names}/CN=${holder}`);
    const from = asn1Time(Math.min(Date.now(), realNowMs()) - dayMs);
    const dates = ['-startdate', from, '-enddate', asn1Time(Date.now() + days * dayMs)];
    const signer = ['-config', 'ca.cnf', '-selfsign', '-keyfile', 'key.pem', '-in', 'request.pem'];
    openssl('ca', '-batch', '-notext', ...signer, ...dates, '-out', 'cert.pem');
    const files = ['-inkey', 'key.pem', '-in', 'cert.pem', '-out', 'c.p12'];
    const hashed = rounds === undefined ? [] : ['-iter', String(rounds)];
    openssl('pkcs12', '-export', ...files, ...hashed, '-passout', `pass:${passphrase}`);
    return { pkcs12: file('c.p12'), cert: file('cert.pem'), key: file('key.pem') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
