import { useTranslation } from 'react-i18next';
import type { Language } from '#domain/language.ts';
import { defaultSettings } from '#domain/settings/settings.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import type { TaxRate } from '#domain/tax/codes.ts';
import type { TaxProfile } from '#domain/tax/profile.ts';
import { useClinicFormats } from '../formats/use-formats.ts';
import type { FieldView } from './edited-record.ts';
import { useFieldTexts } from './use-field-texts.ts';

/** Settings that the forms name in sections of their own. */
type Named = 'tax_profile' | 'legal_name' | 'tax_id' | 'postal_code' | 'city' | 'tax_rates' | 'verifactu_since';
type AlsoNamed = 'verifactu_until' | 'books_by_sii' | 'operation_description' | 'logo_url' | 'default_language';
/** Settings that no form edits. */
type Unedited = 'currency_symbol' | 'verifactu_system' | 'setup_finished';
type Plain = Exclude<keyof ClinicSettings, Named | AlsoNamed | Unedited>;

const amounts: readonly string[] = ['change_limit', 'month_target'] satisfies Plain[];

/** Returns how the forms of settings show each of them in a sentence. */
export function useSettingsViews(): Partial<Record<keyof ClinicSettings, FieldView>> {
  const { t } = useTranslation();
  const texts = useFieldTexts();
  const formats = useClinicFormats();
  const rates = (list: TaxRate[]) =>
    list
      .map(
        ({ code, rates: of }) =>
          `${t(`tax.codes.${code}`)}: ${of.map(({ from, percent }) => `${formats.day(from)} ${percent} %`).join(', ')}`,
      )
      .join('\n');
  const textOf = (field: Plain): FieldView['text'] => {
    const value = defaultSettings[field];
    if (typeof value === 'boolean') return texts.flag;
    if (typeof value === 'number') return amounts.includes(field) ? texts.money : texts.quantity;
    return undefined;
  };
  const named: Record<Named | AlsoNamed, FieldView> = {
    tax_profile: {
      label: t('tax.settings.profile'),
      text: (profile: TaxProfile) => t(`tax.settings.profiles.${profile}`),
    },
    legal_name: { label: t('tax.settings.legalName') },
    tax_id: { label: t('tax.settings.taxId') },
    postal_code: { label: t('tax.settings.postalCode') },
    city: { label: t('tax.settings.city') },
    tax_rates: { label: t('tax.settings.title'), text: rates },
    verifactu_since: { label: t('verifactu.since'), text: texts.day },
    verifactu_until: { label: t('verifactu.until'), text: texts.day },
    books_by_sii: { label: t('verifactu.sii'), text: texts.flag },
    operation_description: { label: t('verifactu.description') },
    logo_url: { label: t('settings.fields.logo_url'), text: texts.picture, picture: {} },
    default_language: {
      label: t('settings.fields.default_language'),
      text: (language: Language) => t(`language.${language}`),
    },
  };
  const unedited: readonly string[] = ['currency_symbol', 'verifactu_system', 'setup_finished'] satisfies Unedited[];
  const plain = Object.keys(defaultSettings).filter(
    (field) => !(field in named) && !unedited.includes(field),
  ) as Plain[];
  return {
    ...Object.fromEntries(plain.map((field) => [field, { label: t(`settings.fields.${field}`), text: textOf(field) }])),
    ...named,
  };
}
