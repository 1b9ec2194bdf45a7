import { hourMs } from '#domain/durations.ts';
import { isIP } from 'node:net';
import path from 'node:path';
import { z } from 'zod';
import { isTaxId } from '#domain/tax/tax-id.ts';
import { languages } from '#domain/language.ts';
import { defaultSettings } from '#domain/settings/settings.ts';
import type { Language } from '#domain/language.ts';

const port = z.coerce.number().int().min(0).max(65_535);
const timeZone = z.string().refine(isTimeZone, { message: 'Not a time zone' });
const flag = z.enum(['0', '1']).transform((value) => value === '1');

/** Addresses and ranges, with commas between: `127.0.0.1, 10.0.0.0/8`. */
const proxies = z
  .string()
  .transform((text) => text.split(',').map((one) => one.trim()))
  .refine((list) => list.every(isAddressOrRange), {
    message: 'Not addresses like 127.0.0.1 or ranges like 10.0.0.0/8',
  });

/** Names without port, with commas between: `clinic.example, reception`. */
const hostNames = z
  .string()
  .transform((text) => text.split(',').map((one) => one.trim().toLowerCase()))
  .refine((list) => list.every((name) => /^[a-z\d]([a-z\d.-]*[a-z\d])?$/.test(name)), {
    message: 'Not names like clinic.example',
  });

const logLevels = ['error', 'warn', 'info', 'debug'] as const;

const environmentSchema = z
  .object({
    PORT: port.default(3000),
    HOST: z.string().default('127.0.0.1'),
    DATA_DIR: z.string().default('./data'),
    DATABASE_URL: z.string().optional(),
    PROCESSES: z.coerce.number().int().min(1).max(64).default(1),
    DEMO: flag.optional(),
    CLINIC_TIME_ZONE: timeZone.default(defaultSettings.time_zone),
    CLINIC_LANGUAGE: z.enum(languages).optional(),
    SESSION_HOURS: z.coerce.number().positive().max(168).default(8),
    TLS_CERT: z.string().optional(),
    TLS_KEY: z.string().optional(),
    TRUST_PROXY: proxies.default([]),
    ALLOWED_HOSTS: hostNames.default([]),
    BACKUP_DIR: z.string().optional(),
    BACKUP_PASSPHRASE: z.string().min(8).optional(),
    METRICS_TOKEN: z.string().min(16).optional(),
    LOG_LEVEL: z.enum(logLevels).default('warn'),
    REQUEST_LIMITS: flag.default(true),
    CLINIC_STORAGE_MB: z.coerce.number().min(1).default(5000),
    KEEP_FREE_MB: z.coerce.number().min(0).default(1024),
    DRAIN_SECONDS: z.coerce.number().min(0).max(300).default(0),
    SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'Not an address like smtp://user:password@host:587' }).optional(),
    SMTP_FROM: z
      .string()
      .regex(/^([^<>\r\n]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/, 'Not an email address')
      .optional(),
    VERIFACTU_URL: z.url({ protocol: /^https?$/, error: 'Not an address like https://agency.example/path' }).optional(),
    PRODUCER_NAME: z.string().max(120).optional(),
    PRODUCER_TAX_ID: z.string().refine(isTaxId, { message: 'Not a valid NIF, NIE or CIF' }).optional(),
    PRODUCER_ADDRESS: z.string().max(300).optional(),
    DECLARATION_PLACE: z.string().max(100).optional(),
    DECLARATION_DATE: z.iso.date('Not a day like 2027-01-31').optional(),
    DECLARATION_VERSION: z.string().max(40).optional(),
  })
  .refine((env) => env.PROCESSES === 1 || env.DATABASE_URL !== undefined, {
    message: 'More than one process needs DATABASE_URL: the embedded PostgreSQL serves only one',
    path: ['PROCESSES'],
  })
  .refine((env) => (env.SMTP_URL === undefined) === (env.SMTP_FROM === undefined), {
    message: 'Set SMTP_URL and SMTP_FROM together',
    path: ['SMTP_URL'],
  })
  .refine(
    ({ VERIFACTU_URL, PRODUCER_NAME, PRODUCER_TAX_ID }) =>
      VERIFACTU_URL === undefined || (PRODUCER_NAME !== undefined && PRODUCER_TAX_ID !== undefined),
    { message: 'Set PRODUCER_NAME and PRODUCER_TAX_ID too: each record names the producer', path: ['VERIFACTU_URL'] },
  )
  .refine((env) => (env.TLS_CERT === undefined) === (env.TLS_KEY === undefined), {
    message: 'Set TLS_CERT and TLS_KEY together',
    path: ['TLS_CERT'],
  });

export interface Config {
  port: number;
  host: string;
  dataDir: string;
  /** Null selects the embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | null;
  /** The number of processes behind the one port. */
  processes: number;
  demo: boolean;
  /** The time zone of a new clinic. */
  timeZone: string;
  /** The language of a new clinic, and of the demo's texts. */
  language: Language;
  sessionMs: number;
  /** Paths of a certificate and its key; null serves plain HTTP. */
  tls: { certFile: string; keyFile: string } | null;
  /** Proxies whose forwarding headers are trusted. From any other client they could be forged. */
  trustedProxies: string[];
  /** The names under which the server may be called, beside addresses of digits; null allows any. */
  allowedHosts: string[] | null;
  /**
   * The folder of the nightly backups; null makes none, because processes on an external database may have no lasting
   * disk.
   */
  backupDir: string | null;
  /** Encrypts every backup; null leaves backups readable. */
  backupPassphrase: string | null;
  /** The token that Prometheus sends; null disables metrics. */
  metricsToken: string | null;
  /** From `info` on, each request is logged. */
  logLevel: (typeof logLevels)[number];
  /** False for load tests: nobody has a budget of requests. */
  requestLimits: boolean;
  /** What the files of one clinic may take. */
  clinicStorageBytes: number;
  /** The free space on the disk of PostgreSQL below which no file is stored. */
  keepFreeBytes: number;
  /** The time that a stopping process keeps answering, so that a load balancer notices. */
  drainMs: number;
  /** The mail server and the sender of emails; null sends none. */
  smtp: SmtpAccess | null;
  /** The tax agency's address for fiscal records, and who answers for this program; null sends none. */
  verifactu: { url: string; producer: { name: string; taxId: string } } | null;
  /** Who answers for this program, and the responsible declaration that they signed. What is not set is empty. */
  producer: {
    name: string;
    taxId: string;
    address: string;
    place: string;
    /** A day (`yyyy-mm-dd`). */
    date: string;
    signedVersion: string;
  };
}

export interface SmtpAccess {
  /** `smtp://user:password@host:587`; `smtps` uses TLS from the start. */
  url: string;
  /** `reports@clinic.test`, or `Clinic <reports@clinic.test>`. */
  from: string;
}

/**
 * Reads and validates the environment. An empty variable counts as absent.
 *
 * @throws Error with one line per mistake
 */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = environmentSchema.safeParse(given);
  if (!parsed.success) {
    throw new Error(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'));
  }
  const env = parsed.data;
  const isLocal = isLoopback(env.HOST) && env.TRUST_PROXY.length === 0;
  // Demo passwords are public, so other machines, also behind a proxy, reach them only when DEMO says so.
  const demo = env.DEMO ?? isLocal;
  const isGuarded = demo || isLocal || env.ALLOWED_HOSTS.length > 0;
  return {
    port: env.PORT,
    host: env.HOST,
    dataDir: env.DATA_DIR,
    databaseUrl: env.DATABASE_URL ?? null,
    processes: env.PROCESSES,
    demo,
    timeZone: env.CLINIC_TIME_ZONE,
    language: env.CLINIC_LANGUAGE ?? languageOfMachine(),
    sessionMs: env.SESSION_HOURS * hourMs,
    tls: env.TLS_CERT && env.TLS_KEY ? { certFile: env.TLS_CERT, keyFile: env.TLS_KEY } : null,
    trustedProxies: env.TRUST_PROXY,
    allowedHosts: isGuarded ? [...new Set([...loopbackNames, env.HOST.toLowerCase(), ...env.ALLOWED_HOSTS])] : null,
    backupDir: env.BACKUP_DIR ?? (env.DATABASE_URL === undefined ? path.join(env.DATA_DIR, 'backups') : null),
    backupPassphrase: env.BACKUP_PASSPHRASE ?? null,
    metricsToken: env.METRICS_TOKEN ?? null,
    logLevel: env.LOG_LEVEL,
    requestLimits: env.REQUEST_LIMITS,
    clinicStorageBytes: env.CLINIC_STORAGE_MB * 1024 * 1024,
    keepFreeBytes: env.KEEP_FREE_MB * 1024 * 1024,
    drainMs: env.DRAIN_SECONDS * 1000,
    smtp: env.SMTP_URL && env.SMTP_FROM ? { url: env.SMTP_URL, from: env.SMTP_FROM } : null,
    verifactu:
      env.VERIFACTU_URL && env.PRODUCER_NAME && env.PRODUCER_TAX_ID
        ? { url: env.VERIFACTU_URL, producer: { name: env.PRODUCER_NAME, taxId: env.PRODUCER_TAX_ID } }
        : null,
    producer: {
      name: env.PRODUCER_NAME ?? '',
      taxId: env.PRODUCER_TAX_ID ?? '',
      address: env.PRODUCER_ADDRESS ?? '',
      place: env.DECLARATION_PLACE ?? '',
      date: env.DECLARATION_DATE ?? '',
      signedVersion: env.DECLARATION_VERSION ?? '',
    },
  };
}

/** Returns the language that this machine is set to: who starts the demo on it reads that. */
const languageOfMachine = (): Language =>
  new Intl.DateTimeFormat().resolvedOptions().locale.startsWith('es') ? 'sp' : 'en';

const loopbackNames = ['localhost', '127.0.0.1', '::1'];

/** True for a server that takes passwords of other machines in clear text. A trusted proxy is taken to have TLS. */
export const isInClear = ({ host, tls, trustedProxies }: Config): boolean =>
  tls === null && trustedProxies.length === 0 && !isLoopback(host);

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const widest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return (
    widest > 0 &&
    more.length === 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) > 0 && Number(bits) <= widest))
  );
}

function isTimeZone(zone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }));
  } catch {
    return false;
  }
}
