import { describe, expect, test } from 'vitest';
import { isInClear, readConfig } from '#server/config.ts';

describe('the environment', () => {
  test('has a default for every variable', () => {
    expect(readConfig({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      dataDir: './data',
      databaseUrl: null,
      processes: 1,
      demo: true,
      timeZone: 'Europe/Madrid',
      // The machine's, if that is Spanish.
      language: expect.stringMatching(/^(en|sp)$/),
      sessionMs: 8 * 3_600_000,
      tls: null,
      trustedProxies: [],
      verifactu: null,
      producer: { name: '', taxId: '', address: '', place: '', date: '', signedVersion: '' },
      allowedHosts: ['localhost', '127.0.0.1', '::1'],
      backupDir: 'data/backups',
      backupPassphrase: null,
      clinicStorageBytes: 5000 * 1024 * 1024,
      keepFreeBytes: 1024 ** 3,
      metricsToken: null,
      logLevel: 'warn',
      drainMs: 0,
      requestLimits: true,
      smtp: null,
    });
  });

  test('puts nightly backups into the data folder or the configured folder, and makes none without either', () => {
    expect(readConfig({ DATA_DIR: '/srv/clinic' }).backupDir).toBe('/srv/clinic/backups');
    expect(readConfig({ BACKUP_DIR: '/mnt/stick', DATABASE_URL: 'postgresql://x' }).backupDir).toBe('/mnt/stick');
    expect(readConfig({ DATABASE_URL: 'postgresql://x' }).backupDir).toBeNull();
  });

  test.each([
    ['127.0.0.1', true],
    ['localhost', true],
    ['::1', true],
    ['0.0.0.0', false],
    ['192.168.1.10', false],
    ['127.evil.test', false],
  ])('sets demo mode for the host %s to %s by default', (host, demo) => {
    expect(readConfig({ HOST: host }).demo).toBe(demo);
    expect(readConfig({ HOST: host, DEMO: '0' }).demo).toBe(false);
    expect(readConfig({ HOST: host, DEMO: '1' }).demo).toBe(true);
  });

  test.each<[NodeJS.ProcessEnv, string[] | null]>([
    [{ HOST: 'localhost' }, []],
    [{ DEMO: '0' }, []],
    [{ HOST: 'reception', DEMO: '1' }, ['reception']],
    [{ HOST: '0.0.0.0', ALLOWED_HOSTS: 'Clinic.example, reception' }, ['0.0.0.0', 'clinic.example', 'reception']],
    [{ HOST: '0.0.0.0' }, null],
    [{ TRUST_PROXY: '127.0.0.1' }, null],
  ])('allows with %o the names %o', (environment, names) => {
    const own = ['localhost', '127.0.0.1', '::1'];
    expect(readConfig(environment).allowedHosts).toEqual(names && [...own, ...names]);
  });

  test('disables demo mode by default behind a proxy, which makes a local server public', () => {
    expect(readConfig({ TRUST_PROXY: '127.0.0.1' }).demo).toBe(false);
    expect(readConfig({ TRUST_PROXY: '127.0.0.1', DEMO: '1' }).demo).toBe(true);
  });

  test.each([
    ['PORT', 'http'],
    ['PORT', '70000'],
    ['PROCESSES', '0'],
    ['PROCESSES', '4'],
    ['DEMO', 'yes'],
    ['CLINIC_TIME_ZONE', 'Mars/Olympus'],
    ['SESSION_HOURS', '0'],
    ['TLS_CERT', 'cert.pem'],
    ['TRUST_PROXY', 'true'],
    ['ALLOWED_HOSTS', 'https://clinic.example'],
    ['ALLOWED_HOSTS', 'clinic.example:3000'],
    ['TRUST_PROXY', '10.0.0.1, proxy'],
    ['TRUST_PROXY', '0.0.0.0/0'],
    ['SMTP_URL', 'smtp://mail.test'],
    ['SMTP_URL', 'https://mail.test'],
    ['SMTP_FROM', 'somebody'],
  ])('is refused with the name of the variable: %s=%s', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(name);
  });

  test.each(['reports@clinic.test', 'Clínica <reports@clinic.test>'])(
    'sends mail from %s when SMTP_URL and SMTP_FROM are set',
    (from) => {
      expect(readConfig({ SMTP_URL: 'smtps://me:secret@mail.test', SMTP_FROM: from }).smtp).toEqual({
        url: 'smtps://me:secret@mail.test',
        from,
      });
    },
  );

  test('treats an empty variable as unset', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 3000, databaseUrl: null });
  });
});

test.each([
  [false, {}],
  [false, { HOST: '127.0.0.8' }],
  [true, { HOST: '0.0.0.0' }],
  [true, { HOST: '192.168.1.10', DEMO: '1' }],
  [false, { HOST: '0.0.0.0', TLS_CERT: 'a.crt', TLS_KEY: 'a.key' }],
  [false, { HOST: '0.0.0.0', TRUST_PROXY: '172.16.0.0/12' }],
])('passwords in clear text for other machines: %s with %o', (isClear, environment) => {
  expect(isInClear(readConfig(environment))).toBe(isClear);
});
