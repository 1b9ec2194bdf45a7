import { chakra, Flex } from '@chakra-ui/react';
import { MessageSquareText, Trash2 } from 'lucide-react';
import { memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor } from '../../../../domain/money.ts';
import { MoneyText } from '../../../formats/money.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { usePlan } from '../plan-store.ts';
import type { PricedLine } from '../use-priced-plan.ts';
import { QuantityStepper } from './quantity-stepper.tsx';

interface PlanLineRowProps {
  line: PricedLine;
  currency: string;
  onRemove: (itemKey: string, name: string) => void;
}

/** Every change of the plan creates new line objects; only lines with different content render again. */
function haveSameContent(before: PlanLineRowProps, after: PlanLineRowProps): boolean {
  const keys = Object.keys(after.line) as (keyof PricedLine)[];
  return (
    before.currency === after.currency &&
    before.onRemove === after.onRemove &&
    keys.every((key) => before.line[key] === after.line[key])
  );
}

export const PlanLineRow = memo(function PlanLineRow({ line, currency, onRemove }: PlanLineRowProps) {
  const { t } = useTranslation();
  const [notesOpen, setNotesOpen] = useState(line.notes !== '');
  const { itemKey, name, quantity } = line;
  const remove = () => onRemove(itemKey, name);
  return (
    <Flex direction="column" gap="2" py="3" borderBottomWidth="1px" borderColor="border">
      <Flex gap="3" justify="space-between" align="baseline">
        <Flex direction="column" minWidth="0" lineHeight="1.3">
          <chakra.span fontWeight="medium" overflowWrap="anywhere">
            {name}
          </chakra.span>
          <chakra.span fontSize="sm" color="fg.muted" fontVariantNumeric="tabular-nums">
            {t('counter.plan.each', { price: formatMinor(line.priceMinor, currencyLabel(currency)) })}
          </chakra.span>
        </Flex>
        <MoneyText minor={line.totalMinor} currency={currency} fontWeight="semibold" />
      </Flex>
      {!line.available && (
        <Flex>
          <Badge tone="refused">{t('counter.plan.unavailable')}</Badge>
        </Flex>
      )}
      <Flex align="center" gap="2">
        <QuantityStepper
          name={name}
          quantity={quantity}
          onChange={(next) => usePlan.getState().setQuantity(itemKey, next)}
          onRemove={remove}
        />
        <Flex ms="auto">
          <IconButton
            label={t('counter.plan.noteFor', { name })}
            aria-pressed={notesOpen}
            onClick={() => setNotesOpen(!notesOpen)}
          >
            <MessageSquareText />
          </IconButton>
          <IconButton label={t('counter.plan.remove', { name })} onClick={remove} color="fg.muted">
            <Trash2 />
          </IconButton>
        </Flex>
      </Flex>
      {notesOpen && (
        <TextField
          label={t('counter.plan.noteFor', { name })}
          labelHidden
          placeholder={t('counter.plan.notePlaceholder')}
          maxLength={500}
          value={line.notes}
          onChange={(event) => usePlan.getState().setLineNotes(itemKey, event.target.value)}
        />
      )}
    </Flex>
  );
}, haveSameContent);
