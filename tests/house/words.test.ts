/** The words and marks of the locale texts: screens, paper, PDF, spreadsheets and mails take theirs from there. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#server/project-root.ts';
import appEnglish from '#locales/en.json' with { type: 'json' };
import serverEnglish from '#locales/server/en.json' with { type: 'json' };
import serverSpanish from '#locales/server/sp.json' with { type: 'json' };
import appSpanish from '#locales/sp.json' with { type: 'json' };

type Texts = { [key: string]: string | Texts };

const leaves = (texts: Texts, prefix = ''): [key: string, text: string][] =>
  Object.entries(texts).flatMap(([key, text]): [string, string][] =>
    typeof text === 'string' ? [[prefix + key, text]] : leaves(text, `${prefix}${key}.`),
  );

const languages = {
  english: [...leaves(appEnglish), ...leaves(serverEnglish)],
  spanish: [...leaves(appSpanish), ...leaves(serverSpanish)],
};

test('no text is written twice under one key, where the second would hide the first', () => {
  for (const file of ['en.json', 'sp.json', 'server/en.json', 'server/sp.json']) {
    const text = readFileSync(path.join(projectRoot, 'locales', file), 'utf8');
    expect(`${JSON.stringify(JSON.parse(text), null, 2)}\n`, file).toBe(text);
  }
});

/** Words that stand for what has another word already. */
const refused: Record<keyof typeof languages, Record<string, RegExp>> = {
  english: {
    refund: /\b(?:reimburse\w*|chargeback\w*)\b/i,
    stock: /\binventory\b/i,
    'low stock': /\bstock (?:is )?running (?:low|out)\b/i,
    room: /\boperator(?:y|ies)\b/i,
  },
  spanish: {
    devolución: /\b(?:reembols|reintegr)\w*/i,
    existencias: /\b(?:stocks?|inventarios?|almac[eé]n(?:es)?|almacenad[oa]s?)\b/i,
    proveedor: /\b(?:suministrador|vendedor|distribuidor|abastecedor)\w*/i,
    responsable: /\b(?:gerente|encargad[oa]|supervisor|manager)s?\b/i,
  },
};

for (const [language, words] of Object.entries(refused) as [keyof typeof languages, Record<string, RegExp>][])
  for (const [word, others] of Object.entries(words))
    test(`in ${language} nothing else stands for “${word}”`, () => {
      expect(languages[language].filter(([, text]) => others.test(text))).toEqual([]);
    });

const all = Object.values(languages).flat();

test('an ellipsis is three dots, a minus sign is the one of the formatter, and a space is before a percent sign', () => {
  expect(all.length).toBeGreaterThan(5000);
  const other = /…|−|[\d}]%|(?:^|\s)-\{\{|[\u2007\u2009]/;
  expect(all.filter(([, text]) => other.test(text))).toEqual([]);
});

test('only the formatters write a sign before a number', () => {
  const files = ['src', 'domain', 'server'].flatMap((folder) =>
    readdirSync(path.join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => path.join(folder, file)),
  );
  expect(files.length).toBeGreaterThan(500);
  // People may type one; `decimal.ts` reads it.
  const signed = files.filter(
    (file) => file !== path.join('domain', 'decimal.ts') && /[`'"][^`'"\n]*−/.test(read(file)),
  );
  expect(signed).toEqual([]);
});

const read = (file: string): string => readFileSync(path.join(projectRoot, file), 'utf8');

/** Texts whose count is never one, or whose words fit any count. */
const countFree = new Set([
  'sync.syncing',
  'sync.attention',
  'outbox.elsewhere.alike',
  'outbox.elsewhere.alikeUnknown',
  'outbox.elsewhere.paidAmong',
  'outbox.elsewhere.refundedAmong',
  'outbox.elsewhere.says.refused_more',
  'outbox.elsewhere.says.records_unsent',
  'outbox.settlingAll.open',
  'outbox.settlingAll.title',
  'outbox.settlingAll.confirm',
  'outbox.settlingAll.done',
  'outbox.approvingAll.open',
  'outbox.approvingAll.title',
  'outbox.approvingAll.confirm',
  'outbox.approvingAll.done',
  'outbox.voiding.all',
  'list.sizeOption',
  'stock.adjust.short.showAll',
  'dashboard.income.showAll',
  'dayEnd.showAll',
  'dashboard.now.drawersOpen',
  'dashboard.now.unsent',
  'reports.orders.newest',
  'reports.orders.all',
  'reports.preview.openCount',
  'reports.book.waitingFirst',
  'reports.collective.all',
  'reports.collective.tooMany',
  'audit.times',
  'welcome.checklist.title',
  'fiscal.verify.unrecordedFirst',
  'exports.sums.cancelled',
  'exports.sums.totalIn',
  'exports.sums.cancelledIn',
  'removals.total',
]);

const pluralForm = /_(zero|one|two|few|many|other)$/;

test('a text with a count has a form for one and a form for others', () => {
  const missing = Object.entries(languages).flatMap(([language, texts]) => {
    const keys = new Set(texts.map(([key]) => key));
    return texts
      .filter(([key, text]) =>
        pluralForm.test(key)
          ? !keys.has(key.replace(pluralForm, '_one')) || !keys.has(key.replace(pluralForm, '_other'))
          : text.includes('{{count}}') && !countFree.has(key),
      )
      .map(([key]) => `${language}: ${key}`);
  });
  expect(missing).toEqual([]);
  const keys = new Set(all.map(([key]) => key));
  expect([...countFree].filter((key) => !keys.has(key))).toEqual([]);
});

test('the form for one speaks of one thing throughout', () => {
  const several = {
    english:
      /\{\{count\}\} (?:\w+ )?(?!(?:address|process|this|is|was|has|less)\b)\w+s\b(?! (?:is|was|has)\b)|\b(?:they|them|these|were)\b/i,
    spanish: /\{\{count\}\} \w+(?:es|os|as)\b|\b(?:est[aá]n|han|son|quedan|quedaban|se conservan)\b/i,
  };
  for (const [language, texts] of Object.entries(languages) as [keyof typeof several, typeof all][])
    expect(texts.filter(([key, text]) => key.endsWith('_one') && several[language].test(text))).toEqual([]);
});
