import { chakra, Flex } from '@chakra-ui/react';
import { Eye } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useClinicSettings } from '#src/local-data/use-clinic-settings.ts';
import { useSalesPreview, useSalesTaxes } from '#src/server-data/reports.ts';
import { useAddressChoice } from '#src/navigation/use-address-choice.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { useOutboxSummary } from '#src/sync/use-outbox-summary.ts';
import { Banner } from '#src/ui/banner.tsx';
import { Button } from '#src/ui/button.tsx';
import { ExportMenu } from './export-menu.tsx';
import { FilterCard } from './filter-card.tsx';
import { Preview } from './preview.tsx';
import { useFilters } from './filters.ts';

const defaultSize = 20;

/** Filters treatments, counts and previews the matches, and exports them as a file. */
export function ExportTab() {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const panel = useId();
  const filters = useFilters();
  const [preview, setPreview] = useAddressChoice('preview', ['hidden', 'shown']);
  const isShown = preview === 'shown';
  const isOffline = useOutboxSummary()?.link === 'offline';
  // A change of the filters leads back to page 1.
  const filterKey = JSON.stringify(filters.applied);
  const [paging, setPaging] = useState({ filterKey, page: 1, size: defaultSize });
  const page = paging.filterKey === filterKey ? paging.page : 1;
  // Only the count is needed while the preview is closed.
  const found = useSalesPreview(filters.applied, { page, size: isShown ? paging.size : 1 });
  const isTaxed = useClinicSettings().tax_profile !== 'none';
  const taxes = useSalesTaxes(isTaxed && isShown ? filters.applied : null);
  const count = filters.applied && found.value?.data.total;
  return (
    <Flex direction="column" gap="4">
      <FilterCard filters={filters} />
      <Flex gap="2" wrap="wrap" align="center">
        <ExportMenu report="sales" filters={filters.applied} isOffline={isOffline} />
        {/* At the end, because its count makes it wider. */}
        <Button
          aria-expanded={isShown}
          aria-controls={isShown ? panel : undefined}
          disabled={filters.applied === null}
          onClick={() => setPreview(isShown ? 'hidden' : 'shown')}
        >
          <Eye />
          {typeof count === 'number'
            ? t('reports.preview.openCount', { count: formats.quantity(count) })
            : t('reports.preview.open')}
        </Button>
      </Flex>
      {isOffline && <Banner tone="due">{t('reports.export.away')}</Banner>}
      {isShown && filters.applied && (
        <chakra.div id={panel}>
          <Preview
            found={found}
            taxes={taxes.value?.data}
            page={page}
            size={paging.size}
            onPage={(next) => setPaging({ ...paging, filterKey, page: next })}
            onSize={(size) => setPaging({ filterKey, page: 1, size })}
          />
        </chakra.div>
      )}
    </Flex>
  );
}
