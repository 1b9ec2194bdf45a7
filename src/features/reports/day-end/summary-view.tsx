import { chakra, Flex } from '@chakra-ui/react';
import { useId } from 'react';
import { useClinicSettings } from '../../../local-data/use-clinic-settings.ts';
import type { DayEndSummary, SummaryRow, SummarySection } from './use-day-end-summary.ts';

/** Summary as one page: a heading for each section, figures at the right edge. */
export function SummaryView({ summary: { title, status, sections } }: { summary: DayEndSummary }) {
  const { practice_name } = useClinicSettings();
  return (
    <chakra.article
      bg="bg.surface"
      borderWidth="1px"
      borderColor="border"
      borderRadius="md"
      px={{ base: '4', md: '12' }}
      py={{ base: '6', md: '12' }}
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
      {sections.map((section) => (
        <Section key={section.title} section={section} />
      ))}
    </chakra.article>
  );
}

function Section({ section: { title, rows, emptyText } }: { section: SummarySection }) {
  const id = useId();
  return (
    <chakra.section aria-labelledby={id} mt="8">
      <chakra.h4 id={id} fontSize="sm" fontWeight="medium" color="accent.fg" pb="2">
        {title}
      </chakra.h4>
      {rows.length === 0 ? (
        <chakra.p borderTopWidth="1px" borderColor="border" py="2" color="fg.muted">
          {emptyText}
        </chakra.p>
      ) : (
        <dl>
          {rows.map((row) => (
            <Row key={row.key} row={row} />
          ))}
        </dl>
      )}
    </chakra.section>
  );
}

function Row({ row: { name, note, value, isSum = false, tone } }: { row: SummaryRow }) {
  return (
    <Flex
      justify="space-between"
      gap="4"
      py="2"
      borderTopWidth="1px"
      borderColor={isSum ? 'border.strong' : 'border'}
      fontWeight={isSum ? 'semibold' : 'normal'}
    >
      <chakra.dt minWidth="0" overflowWrap="anywhere">
        {name}
        {note && (
          <chakra.span display="block" fontSize="sm" fontWeight="normal" color="fg.muted">
            {note}
          </chakra.span>
        )}
      </chakra.dt>
      <chakra.dd
        flexShrink={0}
        textAlign="end"
        whiteSpace="nowrap"
        fontVariantNumeric="tabular-nums"
        color={tone ? `${tone}.fg` : 'fg'}
      >
        {value}
      </chakra.dd>
    </Flex>
  );
}
