import { chakra, Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import type { OnMove } from './item-row.tsx';
import { BoardCard } from './board-card.tsx';
import type { Column } from './board-columns.ts';

interface BoardColumnProps {
  column: Column;
  /** Whether a phone, which has room for one, shows this one. */
  isChosen: boolean;
  now: number;
  onMove: OnMove | null;
}

/** What is equally far. What was served comes last and least: it gets a row of its own where four columns would be too narrow. */
export function BoardColumn({ column: { status, cards, count, hidden }, isChosen, now, onMove }: BoardColumnProps) {
  const { t } = useTranslation();
  const isServed = status === 'served';
  return (
    <chakra.section
      aria-labelledby={`preparation-${status}`}
      display={{ base: isChosen ? 'flex' : 'none', md: 'flex' }}
      flexDirection="column"
      minWidth="0"
      gridColumn={isServed ? { md: '1 / -1', xl: 'auto' } : undefined}
    >
      {/* On a phone the filter above says the same to the eye. */}
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
          {cards.map((card) => (
            <BoardCard key={card.key} card={card} status={status} now={now} onMove={onMove} />
          ))}
        </chakra.ul>
      )}
      {hidden > 0 && (
        <chakra.p color="fg.muted" fontSize="sm" py="3">
          {t('preparation.more', { count: hidden })}
        </chakra.p>
      )}
    </chakra.section>
  );
}
