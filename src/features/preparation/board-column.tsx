import { chakra, Flex } from '@chakra-ui/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { StyledButton } from '#src/ui/styled.tsx';
import { BoardCard } from './board-card.tsx';
import type { Column } from './board-columns.ts';
import type { OnMove } from './use-moves.ts';

/** What is done is looked up seldom, and only the last of it. */
const lastServed = 5;

interface BoardColumnProps {
  column: Column;
  /** True for the one column that a phone shows. */
  isChosen: boolean;
  nowMs: number;
  onMove: OnMove | null;
}

/** Shows the items of one status. Where four columns do not fit, the served items get a row of their own. */
export function BoardColumn({ column: { status, cards, count, hidden }, isChosen, nowMs, onMove }: BoardColumnProps) {
  const { t } = useTranslation();
  const isServed = status === 'served';
  const [isUnfolded, setUnfolded] = useState(false);
  const shown = isServed && !isUnfolded ? cards.slice(0, lastServed) : cards;
  return (
    <chakra.section
      aria-labelledby={`preparation-${status}`}
      display={{ base: isChosen ? 'flex' : 'none', md: 'flex' }}
      flexDirection="column"
      minWidth="0"
      gridColumn={isServed ? { md: '1 / -1', xl: 'auto' } : undefined}
    >
      {/* Hidden on phones, where the filter above shows the same text. */}
      <Flex
        srOnly={{ mdDown: true }}
        align="baseline"
        gap="2"
        position={{ md: 'sticky' }}
        top="0"
        zIndex="docked"
        bg="bg"
        py={{ md: '2' }}
        mb={{ md: '2' }}
        borderBottomWidth={{ md: '1px' }}
        borderColor="border.strong"
      >
        <chakra.h2 id={`preparation-${status}`} fontWeight="semibold">
          {t(`preparation.statuses.${status}`)}
        </chakra.h2>
        <chakra.span color="fg.muted" fontVariantNumeric="tabular-nums">
          {count}
        </chakra.span>
      </Flex>
      {cards.length === 0 ? (
        <chakra.p color="fg.muted" fontSize="sm" py="3">
          {t('preparation.nothing')}
        </chakra.p>
      ) : (
        <chakra.ul
          listStyleType="none"
          display="grid"
          gridTemplateColumns={
            isServed
              ? { base: 'minmax(0, 1fr)', md: 'repeat(3, minmax(0, 1fr))', xl: 'minmax(0, 1fr)' }
              : 'minmax(0, 1fr)'
          }
          alignItems="start"
          columnGap={{ md: '4', lg: '6' }}
          rowGap={{ base: '2', md: '3' }}
        >
          {shown.map((card) => (
            <BoardCard key={card.key} card={card} status={status} nowMs={nowMs} onMove={onMove} />
          ))}
        </chakra.ul>
      )}
      {isServed && cards.length > lastServed && (
        <StyledButton variant="quiet" mt="2" alignSelf="flex-start" onClick={() => setUnfolded(!isUnfolded)}>
          {isUnfolded ? t('preparation.fold') : t('preparation.unfold', { count: cards.length - lastServed })}
        </StyledButton>
      )}
      {hidden > 0 && (isUnfolded || cards.length <= lastServed || !isServed) && (
        <chakra.p color="fg.muted" fontSize="sm" py="3">
          {t('preparation.more', { count: hidden })}
        </chakra.p>
      )}
    </chakra.section>
  );
}
