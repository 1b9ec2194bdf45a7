import { chakra, Flex } from '@chakra-ui/react';
import { ChevronLeft, ChevronRight, FileCheck } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { recordFilters, sendingStates } from '#domain/fiscal/resources.ts';
import type { RecordFilter, RecordResource } from '#domain/fiscal/resources.ts';
import { currentCursor, firstPage, nextPage, previousPage } from '#src/lists/page-cursors.ts';
import { SearchField } from '#src/lists/search-field.tsx';
import { useClinicSettings } from '#src/local-data/use-clinic-settings.ts';
import { useFiscalRecords } from '#src/server-data/fiscal.ts';
import { NotLoaded } from '#src/server-data/load-error.tsx';
import { Button } from '#src/ui/button.tsx';
import { DataTable } from '#src/ui/data-table.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { SelectField } from '#src/ui/select-field.tsx';
import { useDebounced } from '#src/ui/use-debounced.ts';
import { CorrectionDialog } from './correction-dialog.tsx';
import { SendingLine } from './sending-panel.tsx';
import { RecordDecision } from './decision-dialog.tsx';
import type { Decision } from './decision-dialog.tsx';
import { useRecordViews } from './record-views.tsx';

const typingMs = 500;

const filterOf = (text: string | null): RecordFilter | '' => recordFilters.find((each) => each === text) ?? '';

/** All records, the latest first; the state of the filter is in the address, so that a link may name it. */
export function RecordList() {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const [number, setNumber] = useState('');
  const [cursors, setCursors] = useState(firstPage);
  const state = filterOf(search.get('state'));
  const asked = useDebounced(number.trim().toUpperCase(), typingMs);
  const list = useFiscalRecords({ state, number: asked, cursor: currentCursor(cursors) });
  const [correcting, setCorrecting] = useState<RecordResource | null>(null);
  const [decided, setDecided] = useState<{ record: RecordResource; decision: Decision } | null>(null);
  const views = useRecordViews(setCorrecting, (record, decision) => setDecided({ record, decision }));
  const isSending = useClinicSettings().verifactu_since !== '';
  const isFiltered = state !== '' || asked !== '';
  const filterBy = (next: RecordFilter | '') => {
    setCursors(firstPage);
    setSearch(next === '' ? {} : { state: next }, { replace: true });
  };
  return (
    <>
      <Flex direction="column" gap="3">
        <Flex gap="2" wrap="wrap">
          <chakra.div flex="1 1 10rem" maxWidth={{ md: '13rem' }}>
            <SearchField
              label={t('fiscal.list.number')}
              maxLength={60}
              isPending={asked !== number.trim().toUpperCase()}
              value={number}
              onChange={(text) => {
                setNumber(text);
                setCursors(firstPage);
              }}
            />
          </chakra.div>
          <chakra.div flex={{ base: '1 1 10rem', md: '0 1 13rem' }}>
            <SelectField
              label={t('fiscal.list.state')}
              labelHidden
              value={state}
              onChange={({ target }) => filterBy(filterOf(target.value))}
              options={[
                { value: '', label: t('fiscal.list.all') },
                ...(isSending || state === 'held' ? [{ value: 'held', label: t('fiscal.list.held') }] : []),
                { value: 'faulty', label: t('fiscal.list.faulty') },
                ...sendingStates.map((value) => ({ value, label: t(`fiscal.list.states.${value}`) })),
              ]}
            />
          </chakra.div>
          <SendingLine />
        </Flex>
        {list.fault ? (
          <NotLoaded data={list} />
        ) : (
          <DataTable
            label={t('fiscal.list.title')}
            {...views}
            tableFrom={52}
            rows={list.value?.data}
            rowKey={({ id }) => id}
            skeletonRows={5}
            empty={
              <EmptyState
                icon={<FileCheck />}
                title={t(isFiltered ? 'fiscal.list.noMatch.title' : 'fiscal.list.empty.title')}
                text={t(
                  isFiltered
                    ? 'fiscal.list.noMatch.text'
                    : isSending
                      ? 'fiscal.list.empty.text'
                      : 'fiscal.list.empty.off',
                )}
              >
                {isFiltered && (
                  <Button
                    onClick={() => {
                      setNumber('');
                      filterBy('');
                    }}
                  >
                    {t('fiscal.list.noMatch.showAll')}
                  </Button>
                )}
              </EmptyState>
            }
          />
        )}
        {list.value && (
          <Flex as="nav" aria-label={t('list.pagination')} justify="flex-end" align="center" gap="2" wrap="wrap">
            {cursors.length > 1 && (
              <Button onClick={() => setCursors(previousPage(cursors))}>
                <ChevronLeft />
                {t('fiscal.list.newer')}
              </Button>
            )}
            {list.value.next !== null && (
              <Button disabled={list.isBusy} onClick={() => setCursors(nextPage(cursors, list.value!.next!))}>
                {t('fiscal.list.older')}
                <ChevronRight />
              </Button>
            )}
          </Flex>
        )}
      </Flex>
      {correcting && <CorrectionDialog record={correcting} onClose={() => setCorrecting(null)} />}
      {decided && <RecordDecision {...decided} onClose={() => setDecided(null)} />}
    </>
  );
}
