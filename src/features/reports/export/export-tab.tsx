import { chakra, Flex } from '@chakra-ui/react';
import { Eye } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SalesPreview } from '../../../../domain/report/resources.ts';
import { useServerData } from '../../../server-data/use-server-data.ts';
import { useAddressChoice } from '../../../navigation/use-address-choice.ts';
import { useClinicFormats } from '../../../formats/use-formats.ts';
import { useOutboxSummary } from '../../../sync/use-outbox-summary.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { ExportMenu } from './export-menu.tsx';
import { FilterCard } from './filter-card.tsx';
import { Preview } from './preview.tsx';
import { useFilters } from './filters.ts';

const startSize = 20;

/** Treatments narrowed by filters: counted as they are narrowed, looked at, and taken out as a file. */
export function ExportTab() {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const panel = useId();
  const filters = useFilters();
  const [preview, setPreview] = useAddressChoice('preview', ['hidden', 'shown']);
  const isShown = preview === 'shown';
  const isAway = useOutboxSummary()?.link === 'offline';
  // Whatever changes what is listed leads back to page 1.
  const list = JSON.stringify(filters.asked);
  const [paging, setPaging] = useState({ list, page: 1, size: startSize });
  const page = paging.list === list ? paging.page : 1;
  // Before anybody looks, the count is all that is wanted.
  const found = useServerData<{ data: SalesPreview }>(
    'reports/sales/preview',
    { ...filters.asked, page, size: isShown ? paging.size : 1 },
    { enabled: filters.asked !== null },
  );
  const count = filters.asked && found.value?.data.total;
  return (
    <Flex direction="column" gap="4">
      <FilterCard filters={filters} />
      <Flex gap="2" wrap="wrap" align="center">
        <Button
          aria-expanded={isShown}
          aria-controls={isShown ? panel : undefined}
          disabled={filters.asked === null}
          onClick={() => setPreview(isShown ? 'hidden' : 'shown')}
        >
          <Eye />
          {typeof count === 'number'
            ? t('reports.preview.openCount', { count: formats.quantity(count) })
            : t('reports.preview.open')}
        </Button>
        <ExportMenu filters={filters.asked} isAway={isAway} />
      </Flex>
      {isAway && <Banner tone="due">{t('reports.export.away')}</Banner>}
      {isShown && filters.asked && (
        <chakra.div id={panel}>
          <Preview
            found={found}
            page={page}
            size={paging.size}
            onPage={(next) => setPaging({ ...paging, list, page: next })}
            onSize={(size) => setPaging({ list, page: 1, size })}
          />
        </chakra.div>
      )}
    </Flex>
  );
}
