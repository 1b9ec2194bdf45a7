import { chakra } from '@chakra-ui/react';
import { Trash2 } from 'lucide-react';
import type { FieldArrayWithId } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { minorToWire } from '#domain/money.ts';
import type { DraftForm } from '#src/forms/draft-form.ts';
import { useCurrency } from '#src/local-data/use-clinic-settings.ts';
import type { CatalogueItem } from '#src/db/database.ts';
import { MoneyText } from '#src/formats/money.tsx';
import { IconButton } from '#src/ui/icon-button.tsx';
import { ItemPicker } from '../form/item-picker.tsx';
import { FormMoneyField } from '#src/forms/money-field.tsx';
import { QuantityField } from '#src/forms/quantity-field.tsx';
import { lineTotal } from './order-draft.ts';
import type { OrderDraft, OrderLine } from './order-draft.ts';

interface OrderLineFieldsProps {
  form: DraftForm<OrderDraft>;
  fields: readonly FieldArrayWithId<OrderDraft, 'items'>[];
  onAdd: (line: OrderLine) => void;
  onRemove: (index: number) => void;
}

/** Lines of a purchase order with quantity and unit cost. */
export function OrderLineFields({ form, fields, onAdd, onRemove }: OrderLineFieldsProps) {
  const { t } = useTranslation();
  const lines = form.watch('items');
  const ids = lines.map(({ stock_id }) => stock_id);
  const problem = form.errorOf('items');
  const isShownAtLine = lines.some((line) => isInvalid(line));
  function add(item: CatalogueItem | null) {
    if (item && !ids.includes(item.id))
      onAdd({
        stock_id: item.id,
        name: item.name,
        unit: item.unit,
        quantity: 1,
        unit_cost: minorToWire(item.price_minor),
      });
  }
  return (
    <>
      <ItemPicker
        label={t('purchasing.form.addItem')}
        hint={t('purchasing.form.addItemHint')}
        exclude={ids}
        onChoose={add}
      />
      {problem && !isShownAtLine && (
        <chakra.p role="alert" fontSize="sm" color="refused.fg">
          {problem}
        </chakra.p>
      )}
      {fields.length > 0 && (
        <chakra.ul aria-label={t('purchasing.columns.items')} listStyleType="none">
          <LineHeadings />
          {fields.map((field, index) => (
            <Line
              key={field.id}
              form={form}
              index={index}
              line={lines[index] ?? field}
              problem={problem}
              onRemove={() => onRemove(index)}
            />
          ))}
        </chakra.ul>
      )}
    </>
  );
}

const isInvalid = ({ quantity, unit_cost }: OrderLine): boolean => !(quantity > 0) || !(unit_cost >= 0);

const columns = { base: 'minmax(0, 1fr) minmax(0, 1fr) 3rem', md: 'minmax(0, 1fr) 10rem 9rem 7rem 3rem' };

/** Column headings on wide screens. Hidden from screen readers, because each field has its own label. */
function LineHeadings() {
  const { t } = useTranslation();
  return (
    <chakra.li
      aria-hidden
      display={{ base: 'none', md: 'grid' }}
      gridTemplateColumns={columns.md}
      columnGap="3"
      pb="2"
      fontSize="sm"
      fontWeight="medium"
      color="fg.muted"
    >
      <span>{t('purchasing.columns.item')}</span>
      <span>{t('stock.fields.quantity')}</span>
      <span>{t('purchasing.columns.unitCost')}</span>
      <chakra.span textAlign="end">{t('purchasing.columns.total')}</chakra.span>
    </chakra.li>
  );
}

interface LineProps {
  form: DraftForm<OrderDraft>;
  index: number;
  line: OrderLine;
  /** Error of the lines, shown at each invalid one. */
  problem: string | undefined;
  onRemove: () => void;
}

function Line({ form, index, line, problem, onRemove }: LineProps) {
  const { t } = useTranslation();
  const currency = useCurrency();
  const { name, unit } = line;
  return (
    <chakra.li
      display="grid"
      gridTemplateColumns={columns}
      alignItems="start"
      columnGap="3"
      rowGap="2"
      py="2"
      borderTopWidth="1px"
      borderColor="border"
    >
      <chakra.span
        gridColumn={{ base: '1 / -1', md: 'auto' }}
        pt={{ base: '0', md: '3' }}
        fontWeight="medium"
        overflowWrap="anywhere"
      >
        {name}
      </chakra.span>
      <QuantityField
        form={form}
        name={`items.${index}.quantity`}
        unit={unit}
        labelHidden
        label={t('purchasing.form.quantityOf', { name })}
        error={problem && !(line.quantity > 0) ? problem : undefined}
      />
      <FormMoneyField
        form={form}
        name={`items.${index}.unit_cost`}
        labelHidden
        label={t('purchasing.form.costOf', { name })}
        error={problem && !(line.unit_cost >= 0) ? problem : undefined}
      />
      <MoneyText hideBelow="md" pt="3" minor={lineTotal(line)} currency={currency} />
      <IconButton label={t('purchasing.form.remove', { name })} onClick={onRemove}>
        <Trash2 />
      </IconButton>
    </chakra.li>
  );
}
