/** What reports say in sentences, in the languages of the app. */
import type { Language } from '../../../domain/language.ts';
import type { ReportWords } from '../../../domain/report/reports.ts';
import english from '../../../locales/en.json' with { type: 'json' };
import spanish from '../../../locales/sp.json' with { type: 'json' };

const speak = (locale: string, sentences: typeof english.comparison): ReportWords => {
  const percentage = new Intl.NumberFormat(locale, {
    style: 'percent',
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
    signDisplay: 'exceptZero',
  });
  const percentageOf = (value: number) => percentage.format(value / 100);
  return {
    percentage: percentageOf,
    comparison: (period, value) => sentences[period].replace('{{change}}', percentageOf(value)),
  };
};

export const reportWords: Record<Language, ReportWords> = {
  en: speak('en', english.comparison),
  sp: speak('es-ES', spanish.comparison),
};
