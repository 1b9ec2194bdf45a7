import { chakra, Flex } from '@chakra-ui/react';
import { StyledIconButton } from '#src/ui/styled.tsx';
import { ArrowRight, Undo2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { stepAfter, stepBefore } from '#domain/preparation/steps.ts';
import type { KitchenItemResource } from '#domain/preparation/resources.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { itemElementId } from './use-moves.ts';
import type { BoardItem, OnMove } from './use-moves.ts';

/** Shows an item. The whole row moves it forward, because staff tap it at arm's length and with gloves. */
export function ItemRow({ boardItem, onMove }: { boardItem: BoardItem; onMove: OnMove | null }) {
  const { t } = useTranslation();
  const { item, status } = boardItem;
  const [next, previous] = [stepAfter(status), stepBefore(status)];
  return (
    <chakra.li display="flex" alignItems="stretch" borderTopWidth="1px" borderColor="border">
      {onMove && next ? (
        <chakra.button
          type="button"
          id={itemElementId(item.id)}
          onClick={() => onMove({ name: item.name, items: [boardItem] }, 'forward')}
          // A held-down key would move the item through all columns.
          onKeyDown={(event) => event.repeat && event.preventDefault()}
          display="flex"
          alignItems="center"
          gap="3"
          flex="1"
          minWidth="0"
          minHeight="16"
          px="3"
          py="2"
          textAlign="start"
          cursor="pointer"
          _hover={{ bg: 'bg.hover' }}
          _active={{ bg: 'accent.subtle' }}
          _focusVisible={{ outlineOffset: '-3px' }}
        >
          <chakra.span flex="1" minWidth="0" display="flex" flexDirection="column">
            <ItemText item={item} />
          </chakra.span>
          <chakra.span srOnly>{` ${t('preparation.moveTo')} ${t(`preparation.statuses.${next}`)}`}</chakra.span>
          <chakra.span
            flexShrink={0}
            color="fg.muted"
            aria-hidden
            // A narrow card keeps its width for the name.
            css={{ display: 'none', '@container (min-width: 17rem)': { display: 'block' } }}
          >
            <ArrowRight size={20} />
          </chakra.span>
        </chakra.button>
      ) : (
        <Flex direction="column" justify="center" flex="1" minWidth="0" minHeight={onMove ? '16' : '12'} px="3" py="2">
          <ItemText item={item} />
        </Flex>
      )}
      {onMove && previous && (
        <StyledIconButton
          size="lg"
          height="auto"
          color="fg.muted"
          borderRadius="0"
          label={t('preparation.back', { name: item.name, status: t(`preparation.statuses.${previous}`) })}
          onClick={() => onMove({ name: item.name, items: [boardItem] }, 'back')}
          _focusVisible={{ outlineOffset: '-3px' }}
        >
          <Undo2 />
        </StyledIconButton>
      )}
    </chakra.li>
  );
}

function ItemText({ item: { name, quantity, notes } }: { item: KitchenItemResource }) {
  const formats = useClinicFormats();
  return (
    <>
      <chakra.span lineHeight="1.35" fontWeight="medium" overflowWrap="anywhere">
        {quantity !== 1 && (
          <chakra.span color="accent.fg" fontWeight="semibold" fontVariantNumeric="tabular-nums">
            {formats.quantity(quantity)} ×{' '}
          </chakra.span>
        )}
        {name}
      </chakra.span>
      {notes && (
        <chakra.span fontSize="sm" color="fg.muted" lineHeight="1.4" overflowWrap="anywhere">
          {notes}
        </chakra.span>
      )}
    </>
  );
}
