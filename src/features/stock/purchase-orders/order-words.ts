import { useTranslation } from 'react-i18next';
import type { PurchaseOrderItemResource, PurchaseOrderResource } from '#domain/stock/resources.ts';
import type { FieldChange, NounWords } from '#src/decisions/changes.ts';
import { useMoney } from '#src/formats/money.tsx';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { useUnitName } from '#src/formats/use-unit-name.ts';

type Lines = readonly PurchaseOrderItemResource[];

/** The fields of a purchase order in words, for what has changed since it was opened. */
export function useOrderWords(): NounWords {
  const { t } = useTranslation();
  const { quantity } = useClinicFormats();
  const unitName = useUnitName();
  const money = useMoney();
  const ordered = ({ quantity: milli, unit }: PurchaseOrderItemResource) => `${quantity(milli)} ${unitName(unit)}`;
  const received = ({ received_quantity, unit }: PurchaseOrderItemResource) =>
    `${quantity(received_quantity)} ${unitName(unit)}`;
  /** A line keeps its item; each change of the lines renews their ids. */
  const lineOf = (lines: Lines, { stock_id }: PurchaseOrderItemResource) =>
    lines.find((line) => line.stock_id === stock_id);

  function lineChanges(was: PurchaseOrderItemResource, now: PurchaseOrderItemResource): FieldChange[] {
    const said = (word: string, text: (line: PurchaseOrderItemResource) => string): FieldChange[] =>
      text(was) === text(now) ? [] : [{ label: `${now.name}, ${word}`, was: text(was), now: text(now) }];
    return [
      ...said(t('purchasing.columns.item'), ({ name }) => name),
      ...said(t('purchasing.columns.ordered'), ordered),
      ...said(t('purchasing.columns.received'), received),
      ...said(t('purchasing.columns.unitCost'), ({ unit_cost }) => money(unit_cost)),
    ];
  }
  return {
    vendor: { label: t('purchasing.fields.vendor') },
    vendor_contact: { label: t('purchasing.fields.contact') },
    notes: { label: t('purchasing.fields.notes') },
    status: {
      label: t('purchasing.columns.status'),
      text: (status: PurchaseOrderResource['status']) => t(`purchasing.status.${status}`),
    },
    delivery_notes: {
      label: t('purchasing.deliveryNotes'),
      text: (notes: readonly string[]) => notes.join(', ') || '–',
    },
    items: {
      label: t('purchasing.columns.items'),
      parts: (was: Lines, now: Lines) => [
        ...was.filter((line) => !lineOf(now, line)).map((line) => ({ label: line.name, was: ordered(line), now: '–' })),
        ...now.flatMap((line) => {
          const before = lineOf(was, line);
          return before ? lineChanges(before, line) : [{ label: line.name, was: '–', now: ordered(line) }];
        }),
      ],
    },
  };
}
