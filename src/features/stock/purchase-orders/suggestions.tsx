import { chakra, Flex } from '@chakra-ui/react';
import { Check, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PurchaseSuggestion } from '#domain/stock/resources.ts';
import { usePurchaseSuggestions } from '#src/server-data/purchasing.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { Button } from '#src/ui/button.tsx';
import { IconButton } from '#src/ui/icon-button.tsx';
import { Skeleton } from '#src/ui/skeleton.tsx';
import { useUnitName } from '#src/formats/use-unit-name.ts';

/** So many items of a supplier show at first: the order itself stands below those of all suppliers. */
const fewItems = 4;

type Suggested = PurchaseSuggestion['items'][number];

interface SuggestionsProps {
  /** Ids of items that are already on the order. */
  picked: readonly number[];
  onAdd: (suggestion: PurchaseSuggestion, items: readonly Suggested[]) => void;
}

/**
 * Low items grouped by supplier, with the quantity to order. All items of a supplier can be added at once. An added item
 * keeps its place with a tick, so that the next one does not slide under the pointer.
 */
export function Suggestions({ picked, onAdd }: SuggestionsProps) {
  const { t } = useTranslation();
  const { value, isLoading } = usePurchaseSuggestions();
  if (isLoading) return <Skeleton height="24" />;
  const suggestions = value?.data ?? [];
  if (suggestions.length === 0) return <chakra.p color="fg.muted">{t('purchasing.suggestions.none')}</chakra.p>;
  return (
    <Flex direction="column" gap="6">
      {suggestions.map((suggestion) => (
        <SupplierSuggestions
          key={suggestion.supplier}
          suggestion={suggestion}
          picked={picked}
          onAdd={(items) => onAdd(suggestion, items)}
        />
      ))}
    </Flex>
  );
}

function SupplierSuggestions({
  suggestion: { supplier, items },
  picked,
  onAdd,
}: {
  suggestion: PurchaseSuggestion;
  picked: readonly number[];
  onAdd: (items: readonly Suggested[]) => void;
}) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const unitName = useUnitName();
  const [isWhole, setWhole] = useState(items.length <= fewItems + 1);
  const remaining = items.filter(({ stock_id }) => !picked.includes(stock_id));
  const name = supplier || t('purchasing.suggestions.unknownSupplier');
  return (
    <section aria-label={name}>
      <Flex align="center" justify="space-between" gap="3" pb="2">
        <chakra.h3 minWidth="0" fontWeight="medium" overflowWrap="anywhere">
          {name}
        </chakra.h3>
        <Button
          size="sm"
          aria-label={t('purchasing.suggestions.addAllOf', { supplier: name })}
          disabled={remaining.length === 0}
          onClick={() => onAdd(remaining)}
        >
          {remaining.length > 0 ? <Plus /> : <Check />}
          {remaining.length > 0
            ? t('purchasing.suggestions.addAll', { count: remaining.length })
            : t('purchasing.suggestions.allAdded')}
        </Button>
      </Flex>
      <chakra.ul listStyleType="none" borderTopWidth="1px" borderColor="border">
        {(isWhole ? items : items.slice(0, fewItems)).map((item) => (
          <Flex as="li" key={item.stock_id} align="center" gap="3" py="1" borderBottomWidth="1px" borderColor="border">
            <chakra.div flex="1" minWidth="0" lineHeight="1.35">
              <chakra.p overflowWrap="anywhere">{item.name}</chakra.p>
              <chakra.p fontSize="sm" color="fg.muted" fontVariantNumeric="tabular-nums">
                {t('purchasing.suggestions.level', {
                  current: formats.quantity(item.current),
                  threshold: formats.quantity(item.threshold),
                })}
                {item.on_order > 0 &&
                  ` · ${t('purchasing.suggestions.onOrder', { quantity: formats.quantity(item.on_order) })}`}
              </chakra.p>
            </chakra.div>
            <chakra.span
              flexShrink={0}
              fontVariantNumeric="tabular-nums"
            >{`${formats.quantity(item.suggested)} ${unitName(item.unit)}`}</chakra.span>
            {remaining.includes(item) ? (
              <IconButton
                size="sm"
                label={t('purchasing.suggestions.add', { name: item.name })}
                onClick={() => onAdd([item])}
              >
                <Plus />
              </IconButton>
            ) : (
              <IconButton size="sm" label={t('purchasing.suggestions.added', { name: item.name })} disabled>
                <Check />
              </IconButton>
            )}
          </Flex>
        ))}
      </chakra.ul>
      {!isWhole && (
        <Button size="sm" variant="quiet" onClick={() => setWhole(true)}>
          {t('stock.adjust.short.showAll', { count: items.length })}
        </Button>
      )}
    </section>
  );
}
