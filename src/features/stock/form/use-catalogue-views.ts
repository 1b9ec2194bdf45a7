import { useTranslation } from 'react-i18next';
import type { TaxCode } from '#domain/tax/codes.ts';
import type { FieldView } from '#src/forms/edited-record.ts';
import { useFieldTexts } from '#src/forms/use-field-texts.ts';
import { useCategoryChoices } from '#src/server-data/catalogue.ts';

/** Returns how forms show what supplies, services and categories have alike in a sentence. */
export function useCatalogueViews() {
  const { t } = useTranslation();
  const texts = useFieldTexts();
  const categories = useCategoryChoices();
  const flag = (label: string): FieldView => ({ label, text: texts.flag });
  return {
    name: { label: t('stock.fields.name') },
    category_id: {
      label: t('stock.fields.category'),
      text: (of: number) => categories.find(({ id }) => id === of)?.name ?? '',
    },
    barcode: { label: t('stock.fields.barcode') },
    image_url: { label: t('stock.fields.picture'), text: texts.picture, picture: { file: 'picture' } },
    tax: { label: t('tax.code.label'), text: (code: TaxCode) => t(`tax.codes.${code}`) },
    is_available: flag(t('stock.fields.available')),
    is_favourite: flag(t('services.fields.favourite')),
    needs_preparation: flag(t('services.fields.needsPreparation')),
    is_stocked: flag(t('stock.fields.stocked')),
    tracks_lots: flag(t('stock.fields.tracksLots')),
  } satisfies Record<string, FieldView>;
}
