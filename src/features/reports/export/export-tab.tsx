import { chakra, Flex } from '@chakra-ui/react';
import { Eye } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { longPageSize } from '#domain/pagination.ts';
import { useClinicSettings } from '#src/local-data/use-clinic-settings.ts';
import { useSalesPreview, useSalesTaxes } from '#src/server-data/reports.ts';
import { usePageSize } from '#src/lists/list-preferences.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { useOutboxSummary } from '#src/sync/use-outbox-summary.ts';
import { Button } from '#src/ui/button.tsx';
import { wide } from '#src/ui/desk.ts';
import { ExportMenu } from './export-menu.tsx';
import { FilterBar } from './filter-bar.tsx';
import { Preview } from './preview.tsx';
import { useFilters } from './filters.ts';

/** Filters treatments, counts and previews the matches, and exports them as a file. */
export function ExportTab() {
  const { t } = useTranslation();
  const preview = useRef<HTMLDivElement>(null);
  const filters = useFilters();
  const isOffline = useOutboxSummary()?.link === 'offline';
  // A change of the filters leads back to page 1.
  const filterKey = JSON.stringify(filters.applied);
  const [paging, setPaging] = useState({ filterKey, page: 1 });
  const [size, setSize] = usePageSize('sales', longPageSize);
  const page = paging.filterKey === filterKey ? paging.page : 1;
  const found = useSalesPreview(filters.applied, { page, size });
  const isTaxed = useClinicSettings().tax_profile !== 'none';
  const taxes = useSalesTaxes(isTaxed ? filters.applied : null);
  const count = filters.applied && found.value?.data.total;
  function showPreview() {
    found.refresh();
    preview.current?.focus();
  }
  return (
    <Flex direction="column" gap="4" css={{ [wide]: { gap: '{spacing.2}' } }}>
      <Flex gap="2" wrap="wrap" align="flex-start">
        <FilterBar filters={filters} />
        {/* On a phone the two share a line. */}
        <Flex
          gap="2"
          ms={{ md: 'auto' }}
          width={{ base: 'full', md: 'auto' }}
          css={{
            '@media not all and (min-width: 48rem)': {
              '& > *': { flex: '1 1 auto' },
              '& > button, & > * > button': { width: '100%', paddingInline: '{spacing.2}' },
            },
          }}
        >
          <Button disabled={filters.applied === null} onClick={showPreview}>
            <Eye />
            <PreviewLabel count={count} />
          </Button>
          <ExportMenu report="sales" filters={filters.applied} isOffline={isOffline} />
        </Flex>
      </Flex>
      {filters.applied ? (
        <chakra.div ref={preview} tabIndex={-1} outline="none" scrollMarginTop="4">
          <Preview
            found={found}
            taxes={taxes.value?.data}
            page={page}
            onShowAll={filterKey === '{}' ? undefined : filters.removeAll}
            size={size}
            onPage={(next) => setPaging({ filterKey, page: next })}
            onSize={(chosen) => {
              setSize(chosen);
              setPaging({ filterKey, page: 1 });
            }}
          />
        </chakra.div>
      ) : (
        <chakra.output color="refused.fg">{t('reports.export.unsound')}</chakra.output>
      )}
    </Flex>
  );
}

/** The words of the button, with a place for a count of four digits: nothing moves when it comes. */
function PreviewLabel({ count }: { count: number | null | undefined }) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const words = (number: number) => t('reports.preview.openCount', { count: formats.quantity(number) });
  return (
    <chakra.span display="inline-grid" textAlign="start" fontVariantNumeric="tabular-nums">
      <chakra.span gridArea="1 / 1">{typeof count === 'number' ? words(count) : t('reports.preview.open')}</chakra.span>
      <chakra.span gridArea="1 / 1" visibility="hidden" aria-hidden>
        {words(9999)}
      </chakra.span>
    </chakra.span>
  );
}
