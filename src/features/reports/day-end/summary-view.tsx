import { chakra } from '@chakra-ui/react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useClinicSettings } from '#src/local-data/use-clinic-settings.ts';
import { Button } from '#src/ui/button.tsx';
import { SummaryRows } from '#src/ui/summary-rows.tsx';
import type { DayEndSummary, SummarySection } from './use-day-end-summary.ts';

/** So many rows of a section are read at a glance. Paper has all of them. */
const mostRows = 10;

/** Summary as one page: a heading for each section, figures at the right edge. */
export function SummaryView({ summary: { title, status, sections } }: { summary: DayEndSummary }) {
  const { practice_name } = useClinicSettings();
  return (
    <chakra.article
      bg="bg.surface"
      borderWidth="1px"
      borderColor="border"
      borderRadius="md"
      px={{ base: '4', md: '8' }}
      py="6"
    >
      <chakra.p fontSize="sm" color="fg.muted">
        {practice_name}
      </chakra.p>
      <chakra.h3 fontSize="lg" fontWeight="semibold" lineHeight="tight" letterSpacing="tight" mt="1">
        {title}
      </chakra.h3>
      <chakra.p fontSize="sm" color="fg.muted" mt="1">
        {status}
      </chakra.p>
      {/* Side by side where there is room, so that no figure is far from its name. */}
      <chakra.div css={{ columns: '22rem 3', columnGap: '{spacing.8}' }}>
        {sections.map((section) => (
          <Section key={section.title} section={section} />
        ))}
      </chakra.div>
    </chakra.article>
  );
}

function Section({ section: { title, rows, emptyText } }: { section: SummarySection }) {
  const { t } = useTranslation();
  const id = useId();
  const [isWhole, setWhole] = useState(false);
  return (
    <chakra.section aria-labelledby={id} pt="6" css={{ breakInside: 'avoid' }}>
      <chakra.h4 id={id} fontSize="sm" fontWeight="medium" color="accent.fg" pb="2">
        {title}
      </chakra.h4>
      {rows.length === 0 ? (
        <chakra.p borderTopWidth="1px" borderColor="border" py="2" color="fg.muted">
          {emptyText}
        </chakra.p>
      ) : (
        <>
          <SummaryRows rows={isWhole ? rows : rows.slice(0, mostRows)} />
          {!isWhole && rows.length > mostRows && (
            <Button variant="quiet" onClick={() => setWhole(true)}>
              {t('dayEnd.showAll', { count: rows.length })}
            </Button>
          )}
        </>
      )}
    </chakra.section>
  );
}
