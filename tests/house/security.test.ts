/** `docs/security.md` against the list of requirements and the tests that it quotes, and what it states about the source. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectRoot } from '#server/project-root.ts';
import { asvsRequirements } from '../fixtures/asvs.ts';

const read = (file: string) => readFileSync(path.join(projectRoot, file), 'utf8');
const required = Object.values(asvsRequirements).flatMap((ids) => ids.trim().split(/\s+/));

const states = ['held', 'untested', 'not held', 'not applicable'] as const;

interface Row {
  ids: string[];
  state: string;
  evidence: string;
}

const rows: Row[] = [...read('docs/security.md').matchAll(/^\| ([\d., ]+) \| [^|]+ \| ([^|]+) \| ([^|]+) \|$/gm)].map(
  ([, ids, state, evidence]) => ({ ids: ids!.split(', '), state: state!, evidence: evidence! }),
);

/** Returns the quotations of a cell: each is the title, or a part of the title, of a test in the file named before it. */
function quotationsIn(evidence: string): { file: string; titles: string[] }[] {
  return [...evidence.matchAll(/`(tests\/[^`]+)`((?:,? “[^”]+”)*)/g)].map(([, file, quoted]) => ({
    file: file!,
    titles: [...quoted!.matchAll(/“([^”]+)”/g)].map(([, title]) => title!),
  }));
}

describe('the requirements in docs/security.md', () => {
  test('are those of ASVS 5.0 at levels 1 and 2, each once', () => {
    expect(required).toHaveLength(253);
    expect(rows.flatMap(({ ids }) => ids).toSorted()).toEqual(required.toSorted());
  });

  test('have one of four states', () => {
    expect(rows.filter(({ state }) => !(states as readonly string[]).includes(state))).toEqual([]);
  });

  test('are held only where the titles of tests are quoted', () => {
    const held = rows.filter(({ state }) => state === 'held');
    expect(held.length).toBeGreaterThan(80);
    const withoutTest = held.filter(({ evidence }) => {
      const quotations = quotationsIn(evidence);
      return quotations.length === 0 || quotations.some(({ titles }) => titles.length === 0);
    });
    expect(withoutTest.map(({ ids }) => ids.join())).toEqual([]);
  });

  test('have a reason in every other state', () => {
    const others = rows.filter(({ state }) => state !== 'held');
    expect(others.filter(({ evidence }) => evidence.length < 15).map(({ ids }) => ids.join())).toEqual([]);
  });

  test('quote titles that the tests have', () => {
    const quotations = rows.flatMap(({ evidence }) => quotationsIn(evidence));
    expect(quotations.length).toBeGreaterThan(80);
    const wrong = quotations.flatMap(({ file, titles }) => {
      if (!existsSync(path.join(projectRoot, file))) return [file];
      const text = read(file).replaceAll("\\'", "'");
      return titles.filter((title) => !text.includes(title)).map((title) => `${file}: ${title}`);
    });
    expect(wrong).toEqual([]);
  });
});

describe('SECURITY the source', () => {
  const sources = ['domain', 'src', 'sw', 'server'].flatMap((folder) =>
    readdirSync(path.join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
      // Another test plants violations at the same time.
      .filter((file) => /\.tsx?$/.test(file) && !file.includes('planted'))
      .map((file) => `${folder}/${file}`),
  );
  const having = (pattern: RegExp, folders = '') =>
    sources.filter((file) => file.startsWith(folders) && pattern.test(read(file)));

  test('sets no HTML and runs no text as code', () => {
    expect(sources.length).toBeGreaterThan(700);
    const dangerous =
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|srcdoc|\beval\(|new Function\(|dangerouslySetInnerHTML/;
    expect(having(dangerous)).toEqual([]);
  });

  test('starts programs only for the embedded database, to open a certificate and to decode a picture, and none through a shell', () => {
    // What somebody sends is opened in processes that can be ended.
    expect(having(/child_process/).filter((file) => !file.startsWith('server/db/embedded/'))).toEqual([
      'server/modules/fiscal/certificate.ts',
      'server/modules/uploads/picture-process.ts',
    ]);
    expect(
      having(
        /\bexec(?:Sync)?\b[^(]*from 'node:child_process'|shell: true|\{[^}]*\bexec\b[^}]*\} from 'node:child_process'/,
      ),
    ).toEqual([]);
  });

  test('makes regular expressions from constants', () => {
    expect(having(/\bRegExp\(/)).toEqual([]);
  });

  test('hashes with SHA-256 only, encrypts with AES-GCM, and takes randomness that protects something from the system', () => {
    const names = sources.flatMap((file) =>
      [
        ...read(file).matchAll(
          /create(?:Hash|Hmac)\('([^']+)'|name: '((?:AES|SHA|PBKDF)[^']*)'|digest\('([A-Z][^']+)'/g,
        ),
      ].map(([, hash, name, digest]) => hash ?? name ?? digest),
    );
    // AES-KW wraps keys, and encrypts nothing else.
    expect(new Set(names)).toEqual(new Set(['AES-GCM', 'AES-KW', 'PBKDF2', 'SHA-256', 'sha256']));
    // Pauses between attempts.
    expect(having(/Math\.random/)).toEqual(['src/sync/pause.ts', 'sw/sync/browser-engine.ts']);
  });

  /** What would make a row applicable, in the source or in its packages. */
  const wouldApply: Record<string, RegExp> = {
    '1.2.6': /\b(?:ldap|xpath|latex)/i,
    '1.3.1': /dompurify|sanitize-html|contentEditable|quill|tiptap|prosemirror/i,
    '1.3.5': /from '(?:marked|markdown|remark|showdown|less|sass)/,
    '1.3.7': /handlebars|mustache|nunjucks|from '(?:ejs|pug)'|memcache|jndi|util\.format\(/i,
    '1.4.1': /process\.binding|ffi-napi|from '(?:koffi|ref)'|process\.dlopen/,
    '3.5.4': /document\.domain/,
    '3.5.5': /(?:window|globalThis)\.addEventListener\(\s*'message'|window\.onmessage/,
    '4.3.1': /graphql|apollo/i,
    '4.4.1': /new WebSocket\(|from '(?:ws|socket\.io|@fastify\/websocket)/,
    '6.4.4': /otplib|speakeasy|\bTOTP\b/i,
    '6.6.1': /twilio|vonage|sendSms/i,
    '6.8.1': /\b(?:passport|openid-client|saml|oauth)/i,
    '7.1.3': /\b(?:openid-client|saml|oauth)/i,
    '10.1.1': /\b(?:oauth|openid-client)/i,
    '17.1.1': /RTCPeerConnection|webrtc/i,
  };

  test('has nothing of what docs/security.md calls not applicable', () => {
    const named = rows.filter(({ state }) => state === 'not applicable').map(({ ids }) => ids[0]!);
    expect(named.toSorted()).toEqual(Object.keys(wouldApply).toSorted());
    const packages = Object.keys(
      (JSON.parse(read('package.json')) as { dependencies: Record<string, string> }).dependencies,
    ).map((name) => `from '${name}'`);
    const found = Object.entries(wouldApply).flatMap(([id, pattern]) =>
      [...having(pattern), ...packages.filter((name) => pattern.test(name))].map((place) => `${id}: ${place}`),
    );
    expect(found).toEqual([]);
  });

  test('reads XML in one place, by no parser of others', () => {
    expect(
      having(/DOMParser|from '(?:[^']*xml2js|fast-xml-parser|saxes|sax|libxml[^']*|xmldom|@xmldom[^']*)'/),
    ).toEqual([]);
    expect(having(/<!\[CDATA|readReply\(/, 'server/')).toEqual([
      'server/modules/fiscal/reply.ts',
      'server/modules/fiscal/sender.ts',
    ]);
  });

  test('calls out by these modules alone, and presents a client certificate in one', () => {
    const outgoing =
      /^import (?!type)[^;]*from '(?:node:(?:https?|http2|tls|net|dgram|dns|dns\/promises)|undici|nodemailer|pg)'/m;
    expect(having(outgoing, 'server/modules/')).toEqual([
      'server/modules/fiscal/transport.ts',
      'server/modules/notifications/mailer.ts',
      'server/modules/uploads/fetch-picture.ts',
      'server/modules/uploads/public-address.ts',
    ]);
    // The first opens a certificate to see whether it can be.
    expect(having(/\bpfx:/, 'server/')).toEqual([
      'server/modules/fiscal/certificate.ts',
      'server/modules/fiscal/transport.ts',
    ]);
  });

  test('calls addresses from outside in two places: the server fetches pictures by https, and calls the tax agency', () => {
    expect(having(/\bfetch\(|^import (?!type)[^;]*from '(?:node:https?|undici|axios)'/m, 'server/')).toEqual([
      'server/modules/fiscal/transport.ts',
      'server/modules/uploads/fetch-picture.ts',
    ]);
  });
});
