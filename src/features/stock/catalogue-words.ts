import { useTranslation } from 'react-i18next';
import type { TaxCode } from '#domain/tax/codes.ts';
import type { NounWords } from '#src/decisions/changes.ts';
import { useMoney } from '#src/formats/money.tsx';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { useUnitName } from '#src/formats/use-unit-name.ts';
import { useCategoryChoices } from '#src/server-data/catalogue.ts';
import { useColourName } from './categories/use-colour-name.ts';

/** The fields of supplies, services and categories in words, for what has changed since they were shown. */
export function useCatalogueWords(): NounWords {
  const { t } = useTranslation();
  const money = useMoney();
  const { quantity } = useClinicFormats();
  const unitName = useUnitName();
  const categories = useCategoryChoices();
  const colourName = useColourName();
  const answer = (is: boolean) => t(is ? 'decisions.yes' : 'decisions.no');
  const category = (id: number) => categories.find((one) => one.id === id)?.name ?? String(id);
  return {
    name: { label: t('stock.fields.name') },
    description: { label: t('categories.fields.description') },
    color: { label: t('categories.fields.colour'), text: colourName },
    category_id: { label: t('stock.fields.category'), text: category },
    barcode: { label: t('stock.fields.barcode') },
    unit: { label: t('stock.fields.unit'), text: unitName },
    quantity: { label: t('stock.fields.quantity'), text: quantity },
    reserved_quantity: { label: t('stock.fields.reserved'), text: quantity },
    low_stock_threshold: { label: t('stock.fields.threshold'), text: quantity },
    cost_per_unit: { label: t('stock.fields.cost'), text: money },
    price: { label: t('services.fields.price'), text: money },
    tax: { label: t('tax.code.label'), text: (code: TaxCode) => t(`tax.codes.${code}`) },
    supplier: { label: t('stock.fields.supplier') },
    supplier_contact: { label: t('stock.fields.supplierContact') },
    is_available: { label: t('stock.fields.available'), text: answer },
    is_favourite: { label: t('services.fields.favourite'), text: answer },
    needs_preparation: { label: t('services.fields.needsPreparation'), text: answer },
    is_stocked: { label: t('stock.fields.stocked'), text: answer },
    tracks_lots: { label: t('stock.fields.tracksLots'), text: answer },
  };
}
