import { chakra, Flex } from '@chakra-ui/react';
import { CircleAlert, TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { CatalogueItem } from '#src/db/database.ts';
import { toneColours } from '#src/ui/tone.ts';
import { previewOf } from './adjustment-draft.ts';
import type { AdjustmentDraft } from './adjustment-draft.ts';
import { useQuantityFormats } from '../quantity-text.tsx';

/** Preview of the adjustment. A negative result is allowed with a warning, because the recorded quantity may be wrong. */
export function AdjustmentPreview({ item, draft }: { item: CatalogueItem | undefined; draft: AdjustmentDraft }) {
  const { t } = useTranslation();
  const { quantity, change } = useQuantityFormats();
  if (!item) {
    return (
      <chakra.p fontSize="sm" color="fg.muted">
        {t('stock.adjust.nothingChosen')}
      </chakra.p>
    );
  }
  const { currentMilli, changeMilli, newMilli, warning } = previewOf(item, draft);
  const baseMilli = item.base_quantity_milli ?? 0;
  const rows = [
    ['current', quantity(currentMilli, item.unit)],
    ['change', change(changeMilli, item.unit)],
    ['newTotal', quantity(newMilli, item.unit)],
  ] as const;
  return (
    <chakra.section aria-label={t('stock.adjust.preview')} aria-live="polite" display="grid" gap="3">
      <chakra.dl
        display="grid"
        gridTemplateColumns="repeat(3, minmax(0, 1fr))"
        borderTopWidth="1px"
        borderBottomWidth="1px"
        borderColor="border"
        py="3"
      >
        {rows.map(([name, text]) => (
          <chakra.div
            key={name}
            px="3"
            css={{
              '& + &': { borderInlineStart: '1px solid {colors.border}' },
              '&:first-of-type': { paddingInlineStart: 0 },
            }}
          >
            <chakra.dt fontSize="sm" color="fg.muted">
              {t(`stock.adjust.${name}`)}
            </chakra.dt>
            <chakra.dd
              fontWeight={name === 'newTotal' ? 'semibold' : 'medium'}
              fontVariantNumeric="tabular-nums"
              overflowWrap="anywhere"
            >
              {text}
            </chakra.dd>
          </chakra.div>
        ))}
      </chakra.dl>
      {warning && <Warning kind={warning} threshold={quantity(item.low_stock_threshold_milli ?? 0, item.unit)} />}
      {baseMilli !== currentMilli && (
        <chakra.p fontSize="sm" color="fg.muted">
          {t('stock.adjust.unsentIncluded', { quantity: quantity(baseMilli, item.unit) })}
        </chakra.p>
      )}
    </chakra.section>
  );
}

function Warning({ kind, threshold }: { kind: 'negative' | 'out' | 'low'; threshold: string }) {
  const { t } = useTranslation();
  const Icon = kind === 'low' ? TriangleAlert : CircleAlert;
  return (
    <Flex
      gap="2"
      p="3"
      fontSize="sm"
      borderRadius="md"
      borderWidth="1px"
      {...toneColours(kind === 'low' ? 'low' : 'refused')}
    >
      <chakra.span aria-hidden mt="0.5">
        <Icon size={16} />
      </chakra.span>
      <span>{t(`stock.adjust.warnings.${kind}`, { threshold })}</span>
    </Flex>
  );
}
