import { totalPages } from '#domain/pagination.ts';
import { chakra, Flex } from '@chakra-ui/react';
import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../ui/icon-button.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { StyledButton } from '../ui/styled.tsx';
import { pageSizes } from './list-address.ts';
import { pageWindow } from './page-window.ts';

/** A list of so many rows is seen whole. */
const shortList = 10;

interface PaginationProps {
  /** Starts at 1. */
  page: number;
  size: number;
  total: number;
  onPage: (page: number) => void;
  /** Callback for a new page size, which is offered unless the list is short. If omitted, the size is fixed, and a list of one page shows no pagination. */
  onSize?: ((size: number) => void) | undefined;
}

/** Shows the position in a list, and moves between its pages. */
export function Pagination({ page, size, total, onPage, onSize }: PaginationProps) {
  const { t } = useTranslation();
  const pages = Math.max(1, totalPages(total, size));
  const isPast = page > pages;
  // Deleting the only row of the last page leaves the page empty.
  useEffect(() => {
    if (isPast) onPage(pages);
  });
  if (total === 0 || (pages <= 1 && !onSize)) return null;
  const start = (page - 1) * size + 1;
  const end = Math.min(page * size, total);
  return (
    <Flex as="nav" aria-label={t('list.pagination')} align="center" justify="space-between" wrap="wrap" gap="2">
      <Flex align="center" gap="3">
        <chakra.p fontSize="sm" color="fg.muted" fontVariantNumeric="tabular-nums" aria-live="polite">
          {t('list.showing', { start, end, count: total })}
        </chakra.p>
        {onSize && (pages > 1 || total > shortList) && (
          <chakra.div width="20">
            <SelectField
              label={t('list.perPage')}
              labelHidden
              value={String(size)}
              onChange={(event) => onSize(Number(event.target.value))}
              options={pageSizes.map((each) => ({ value: String(each), label: t('list.sizeOption', { count: each }) }))}
            />
          </chakra.div>
        )}
      </Flex>
      {pages > 1 && (
        // The numbers lead to the first and the last page too, so a narrow window does without their arrows.
        <Flex align="center" wrap="wrap" columnGap={{ base: '0', lg: '1' }} rowGap="1">
          <chakra.span hideBelow="lg">
            <IconButton label={t('list.first')} disabled={page <= 1} onClick={() => onPage(1)}>
              <ChevronsLeft />
            </IconButton>
          </chakra.span>
          <IconButton label={t('list.previous')} disabled={page <= 1} onClick={() => onPage(page - 1)}>
            <ChevronLeft />
          </IconButton>
          {pageWindow(page, pages).map((number, index) =>
            number === null ? (
              <chakra.span key={`gap-${index}`} px="1" color="fg.muted" aria-hidden>
                …
              </chakra.span>
            ) : (
              <StyledButton
                key={number}
                variant="quiet"
                px="2"
                minWidth="12"
                fontVariantNumeric="tabular-nums"
                aria-label={t('list.page', { number })}
                aria-current={number === page ? 'page' : undefined}
                _currentPage={{ bg: 'accent.subtle', color: 'accent.fg' }}
                onClick={() => onPage(number)}
              >
                {number}
              </StyledButton>
            ),
          )}
          <IconButton label={t('list.next')} disabled={page >= pages} onClick={() => onPage(page + 1)}>
            <ChevronRight />
          </IconButton>
          <chakra.span hideBelow="lg">
            <IconButton label={t('list.last')} disabled={page >= pages} onClick={() => onPage(pages)}>
              <ChevronsRight />
            </IconButton>
          </chakra.span>
        </Flex>
      )}
    </Flex>
  );
}
