/** The texts that the server writes: exports, emails, reports, documents and what is wrong with a request. */
import { dateTag } from '#domain/language.ts';
import type { Language } from '#domain/language.ts';
import { numberFormat } from '#domain/number-format.ts';
import type { DocumentLabels } from '#domain/order/document-writer.ts';
import { lineTaxText } from '#domain/order/printed-tax.ts';
import { taxKey } from '#domain/tax/tax.ts';
import { categoryFromWire } from '#domain/tax/wire.ts';
import type { TaxPayload } from '#domain/tax/wire.ts';
import { comparedName } from '#domain/report/periods.ts';
import type { ReportWords } from '#domain/report/reports.ts';
import appEnglish from '#locales/en.json' with { type: 'json' };
import serverEnglish from '#locales/server/en.json' with { type: 'json' };
import serverSpanish from '#locales/server/sp.json' with { type: 'json' };
import appSpanish from '#locales/sp.json' with { type: 'json' };

/** The app's texts, and the server's own texts, which no browser loads. */
const english = { ...appEnglish, ...serverEnglish };
const spanish = { ...appSpanish, ...serverSpanish };

export type Translations = typeof english;

const files: Record<Language, Translations> = { en: english, sp: spanish };

export const translationsIn = (language: Language): Translations => files[language];

const numbers = numberFormat();

/** Replaces `{{name}}` in a sentence by the value of that name. */
export function interpolate(sentence: string, values: Record<string, string | number>): string {
  return sentence.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => {
    const value = values[name] ?? whole;
    return typeof value === 'number' ? numbers.format(value) : value;
  });
}

const percentages = numberFormat({
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});

function reportTexts(language: Language): ReportWords {
  const sentences = translationsIn(language).comparison;
  const weekdays = new Intl.DateTimeFormat(dateTag(language), { weekday: 'long', timeZone: 'UTC' });
  const percentage = (value: number | null) => (value === null ? sentences.new : percentages.format(value / 100));
  return {
    percentage,
    comparison: (value, { period, comparison, span, today }) => {
      const name = comparedName(period, comparison, { today, day: span.start });
      const day = weekdays.format(new Date(`${span.start}T00:00:00Z`));
      return value === null
        ? interpolate(sentences.fromZero[name], { day })
        : interpolate(sentences.versus[name], { change: percentage(value), day });
    },
  };
}

/** The sentences of reports. */
export const reportWords: Record<Language, ReportWords> = {
  en: reportTexts('en'),
  sp: reportTexts('sp'),
};

/** Returns the name of a tax, such as `VAT 21 %`. */
export function taxText(total: TaxPayload, language: Language): string {
  const { tax } = translationsIn(language).print.labels;
  return 'exempt' in total ? `${tax.exempt} (${total.exempt})` : lineTaxText(tax, taxKey(categoryFromWire(total)));
}

/** Returns the labels of documents that no counter prints. */
export function documentLabelsIn(language: Language): DocumentLabels {
  const { print, counter } = translationsIn(language);
  return { ...print.labels, methods: counter.methods };
}
