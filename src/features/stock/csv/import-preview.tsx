import { chakra, Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatAmount, minorFromWire } from '#domain/money.ts';
import type { ImportedValue, ImportPreview } from '#domain/stock/resources.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { Badge } from '#src/ui/badge.tsx';
import { Banner } from '#src/ui/banner.tsx';
import { groupErrors } from './group-errors.ts';

/** Counts and changed rows of an import, or the errors that prevent it. */
export function ImportPreviewDetails({ preview }: { preview: ImportPreview }) {
  const { t } = useTranslation();
  const { errorCount } = preview;
  return (
    <>
      <ImportCounts preview={preview} />
      {errorCount > 0 ? (
        <>
          <Banner tone="refused" title={t('spreadsheet.errors.title', { count: errorCount })}>
            {t('spreadsheet.errors.text')}
          </Banner>
          <RowErrors preview={preview} />
        </>
      ) : (
        <Changes preview={preview} />
      )}
    </>
  );
}

export function ImportCounts({ preview }: { preview: ImportPreview }) {
  const { t } = useTranslation();
  const counts = [
    { key: 'new', value: preview.new },
    { key: 'changed', value: preview.changed },
    { key: 'unchanged', value: preview.unchanged },
  ] as const;
  return (
    <chakra.dl
      display="grid"
      gridTemplateColumns="repeat(3, 1fr)"
      borderWidth="1px"
      borderColor="border"
      borderRadius="md"
    >
      {counts.map(({ key, value }, index) => (
        <chakra.div
          key={key}
          display="flex"
          flexDirection="column-reverse"
          px="4"
          py="3"
          {...(index > 0 && { borderInlineStartWidth: '1px', borderColor: 'border' })}
        >
          <chakra.dt fontSize="sm" color="fg.muted">
            {t(`spreadsheet.counts.${key}`)}
          </chakra.dt>
          <chakra.dd fontSize="lg" fontWeight="semibold" fontVariantNumeric="tabular-nums">
            {value}
          </chakra.dd>
        </chakra.div>
      ))}
    </chakra.dl>
  );
}

/** Scrollable list. It takes the focus, so that the keyboard can scroll it. */
function ScrollList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <chakra.section
      tabIndex={0}
      aria-label={label}
      maxHeight="72"
      overflowY="auto"
      borderWidth="1px"
      borderColor="border"
      borderRadius="md"
    >
      <chakra.ul listStyleType="none" fontSize="sm" css={{ '& > li + li': { borderTop: '1px solid {colors.border}' } }}>
        {children}
      </chakra.ul>
    </chakra.section>
  );
}

function ColumnName({ children }: { children: string }) {
  return (
    <chakra.code fontFamily="mono" fontSize="sm">
      {children}
    </chakra.code>
  );
}

function RowErrors({ preview: { errors, errorCount } }: { preview: ImportPreview }) {
  const { t } = useTranslation();
  return (
    <>
      <ScrollList label={t('spreadsheet.errors.label')}>
        {groupErrors(errors).map(({ column, problem, lines }) => (
          <chakra.li key={`${problem} ${column}`} px="4" py="3">
            <chakra.p fontWeight="medium">
              {column && (
                <>
                  <ColumnName>{column}</ColumnName>
                  {': '}
                </>
              )}
              {t(`problems.${problem}`)}
            </chakra.p>
            <chakra.p color="fg.muted" fontVariantNumeric="tabular-nums">
              {t('spreadsheet.errors.lines', { count: lines.length, lines: lines.join(', ') })}
            </chakra.p>
          </chakra.li>
        ))}
      </ScrollList>
      {errorCount > errors.length && <Rest count={errorCount - errors.length} />}
    </>
  );
}

function Changes({ preview }: { preview: ImportPreview }) {
  const { t } = useTranslation();
  const { changes } = preview;
  const hidden = preview.new + preview.changed - changes.length;
  if (changes.length === 0) return <chakra.p color="fg.muted">{t('spreadsheet.nothing')}</chakra.p>;
  return (
    <>
      <ScrollList label={t('spreadsheet.changes')}>
        {changes.map(({ line, name, is_new, values }) => (
          <Flex as="li" key={line} align="start" gap="3" px="4" py="3">
            <chakra.span
              flexShrink={0}
              width="10"
              color="fg.muted"
              textAlign="end"
              fontVariantNumeric="tabular-nums"
              title={t('spreadsheet.line', { line })}
            >
              {line}
            </chakra.span>
            <chakra.span flex="1" minWidth="0" overflowWrap="anywhere">
              {name}
              {values
                .filter(({ column }) => !is_new || column !== 'name')
                .map((value) => (
                  <ReadValue key={value.column} value={value} />
                ))}
            </chakra.span>
            <Badge tone={is_new ? 'paid' : 'neutral'}>
              {t(is_new ? 'spreadsheet.isNew' : 'spreadsheet.isChanged')}
            </Badge>
          </Flex>
        ))}
      </ScrollList>
      {hidden > 0 && <Rest count={hidden} />}
    </>
  );
}

/** One field of a row as it was read: whoever wrote 1.200 sees what becomes of it. */
function ReadValue({ value: { column, kind, before, after } }: { value: ImportedValue }) {
  const { t } = useTranslation();
  const { quantity } = useClinicFormats();
  const show = (value: ImportedValue['after']): string => {
    if (kind === 'amount') return formatAmount(minorFromWire(value as number));
    if (kind === 'quantity') return quantity(value as number);
    if (kind === 'flag') return t(value ? 'spreadsheet.yes' : 'spreadsheet.no');
    return value === '' ? t('spreadsheet.blank') : String(value);
  };
  return (
    <chakra.span display="block" color="fg.muted" fontVariantNumeric="tabular-nums">
      <ColumnName>{column}</ColumnName>
      {': '}
      {before !== null && `${show(before)} → `}
      <chakra.span color="fg">{show(after)}</chakra.span>
    </chakra.span>
  );
}

function Rest({ count }: { count: number }) {
  const { t } = useTranslation();
  return (
    <chakra.p fontSize="sm" color="fg.muted">
      {t('spreadsheet.rest', { count })}
    </chakra.p>
  );
}
