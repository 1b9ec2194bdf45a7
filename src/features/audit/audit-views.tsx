import { chakra, Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { actionKey } from '#domain/audit/actions.ts';
import type { AuditResource } from '#domain/audit/resources.ts';
import { expenseCategories } from '#domain/expense/vocabulary.ts';
import { paymentMethods } from '#domain/order/vocabulary.ts';
import { minorFromWire } from '#domain/money.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import { roles } from '#domain/staff/roles.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { useCurrency } from '#src/local-data/use-clinic-settings.ts';
import { MoneyText } from '#src/formats/money.tsx';
import type { Column } from '#src/ui/columns.ts';
import { desk, oneLineAtDesk } from '#src/ui/desk.ts';
import { detailsOf } from './details.ts';
import type { FoldedEntry } from './fold-entries.ts';
import type { Detail } from './details.ts';

/** Returns the table columns and the phone card of an audit entry. At a desk an entry is one line; a dialog shows all of it. */
export function useAuditViews(): { columns: Column<FoldedEntry>[]; card: (row: FoldedEntry) => ReactNode } {
  const { t } = useTranslation();
  const time = useEntryTime();
  const columns: Column<FoldedEntry>[] = [
    {
      key: 'at',
      header: t('audit.columns.at'),
      width: '11rem',
      cell: (row) => <chakra.span whiteSpace="nowrap">{time(row)}</chakra.span>,
    },
    { key: 'person', header: t('audit.columns.person'), width: '10rem', cell: (row) => <Person row={row} /> },
    {
      key: 'device',
      header: t('audit.columns.device'),
      width: '8rem',
      from: 64,
      cell: ({ device }) => <Lines first={deviceName(device)} />,
    },
    { key: 'action', header: t('audit.columns.action'), width: '18rem', cell: (row) => <Action row={row} /> },
    {
      key: 'details',
      header: t('audit.columns.details'),
      cell: (row) => (
        <Details
          row={row}
          // One line of whole details: what has no room is in the dialog.
          css={{
            [desk]: {
              width: '0',
              minWidth: '100%',
              height: '1.5em',
              lineHeight: '1.5em',
              overflow: 'hidden',
              '& > *': { maxWidth: '100%', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
            },
          }}
        />
      ),
    },
  ];
  const card = (row: FoldedEntry) => (
    <Flex direction="column" gap="2" fontSize="sm">
      <Action row={row} />
      <Details row={row} />
      <Flex justify="space-between" gap="3" color="fg.muted">
        <chakra.div flex="1" minWidth="0">
          <Person row={row} />
          {row.device && !isOfItsDevice(row) && (
            <Lines first={t('audit.deviceCode', { code: deviceName(row.device) })} />
          )}
        </chakra.div>
        <chakra.span textAlign="end" flexShrink="0">
          {time(row)}
        </chakra.span>
      </Flex>
    </Flex>
  );
  return { columns, card };
}

/** Returns a function that says when an entry, or a run of entries, happened. */
export function useEntryTime(): (entry: FoldedEntry) => string {
  const formats = useClinicFormats();
  return ({ at, since }) => (since === at ? formats.dateTime(at) : formats.dateTimes({ start: since, end: at }));
}

export const deviceName = (device: AuditResource['device']): string =>
  device ? [device.code, device.name].filter(Boolean).join(' · ') : '';

/** Returns whether an entry is about the device it happened on, which then is said once. */
export const isOfItsDevice = (entry: FoldedEntry): boolean => subjectsOf(entry) === entry.device?.code;

/** What an entry is about: its own subject and those of its run, each once. */
export const subjectsOf = ({ subject, others }: FoldedEntry): string =>
  [...new Set([subject, ...others])].filter(Boolean).join(', ');

/** A word and what belongs to it: below it, at a desk behind it in one line. */
function Lines({ first, others = [] }: { first: ReactNode; others?: readonly string[] }) {
  return (
    <chakra.div overflowWrap="anywhere" css={oneLineAtDesk}>
      {first}
      {others.map((text) => (
        <chakra.span
          key={text}
          display="block"
          color="fg.muted"
          fontVariantNumeric="tabular-nums"
          css={{ [desk]: { display: 'inline', marginInlineStart: '{spacing.2}' } }}
        >
          {text}
        </chakra.span>
      ))}
    </chakra.div>
  );
}

function Action({ row }: { row: FoldedEntry }) {
  const { t } = useTranslation();
  const { action, others } = row;
  return (
    <Lines
      first={
        <>
          <chakra.span fontWeight="medium">{t(`audit.actions.${actionKey(action)}`)}</chakra.span>
          {others.length > 0 && (
            <chakra.span color="fg.muted">{` · ${t('audit.times', { count: others.length + 1 })}`}</chakra.span>
          )}
        </>
      }
      others={[subjectsOf(row)].filter(Boolean)}
    />
  );
}

function Person({ row: { person, approver, uploader } }: { row: AuditResource }) {
  const { t } = useTranslation();
  return (
    <Lines
      first={person?.name ?? t('audit.nobody')}
      others={[
        approver ? t('audit.approvedBy', { name: approver.name }) : '',
        uploader ? t('audit.sentBy', { name: uploader.name }) : '',
      ].filter(Boolean)}
    />
  );
}

function Details({ row, css }: { row: AuditResource; css?: object }) {
  const details = detailsOf(row);
  if (details.length === 0) return null;
  return (
    <chakra.dl display="flex" flexWrap="wrap" columnGap="4" rowGap="1" overflowWrap="anywhere" css={css}>
      {details.map((detail) => (
        <chakra.div key={detail.name} minWidth="0">
          <chakra.dt display="inline" color="fg.muted" me="2">
            <DetailName detail={detail} />
          </chakra.dt>
          <chakra.dd display="inline" fontVariantNumeric="tabular-nums">
            <DetailValue detail={detail} />
          </chakra.dd>
        </chakra.div>
      ))}
    </chakra.dl>
  );
}

export function DetailName({ detail: { name } }: { detail: Detail }) {
  const { t } = useTranslation();
  return t(`audit.details.${name}` as 'audit.details.amount', { defaultValue: name.replaceAll('_', ' ') });
}

/** Details whose values are a fixed vocabulary, which is translated. */
const translatedDetails: ReadonlySet<string> = new Set(['status', 'direction', 'change', 'password', 'paid_from']);

/** Formats amounts as money and translates values of a fixed vocabulary. */
export function DetailValue({ detail: { name, value, isMoney } }: { detail: Detail }) {
  const { t } = useTranslation();
  const currency = useCurrency();
  if (name === 'fields') return <FieldNames names={String(value)} />;
  if (isMoney) return <MoneyText minor={minorFromWire(value as number)} currency={currency} />;
  const method = name === 'payment_method' && paymentMethods.find((each) => each === value);
  if (method) return t(`counter.methods.${method}`);
  const role = name === 'role' && roles.find((each) => each === value);
  if (role) return t(`roles.${role}.name`);
  const category = name === 'category' && expenseCategories.find((each) => each === value);
  if (category) return t(`expenses.categories.${category}`);
  return translatedDetails.has(name)
    ? t(`audit.values.${value}` as 'audit.values.active', { defaultValue: String(value) })
    : value;
}

/** The names of settings whose sections have texts of their own. */
const namedElsewhere = {
  tax_profile: 'tax.settings.profile',
  tax_rates: 'tax.settings.percent',
  legal_name: 'tax.settings.legalName',
  tax_id: 'tax.settings.taxId',
  postal_code: 'tax.settings.postalCode',
  city: 'tax.settings.city',
  verifactu_since: 'verifactu.title',
  verifactu_until: 'verifactu.title',
  verifactu_system: 'verifactu.title',
  books_by_sii: 'verifactu.sii',
  operation_description: 'verifactu.description',
} as const satisfies Partial<Record<keyof ClinicSettings, string>>;

/** The changed settings, as their page calls them. */
function FieldNames({ names }: { names: string }) {
  const { t } = useTranslation();
  const texts = names
    .split(' ')
    .map((name) =>
      name in namedElsewhere
        ? t(namedElsewhere[name as keyof typeof namedElsewhere])
        : t(`settings.fields.${name}` as 'settings.fields.phone', { defaultValue: name.replaceAll('_', ' ') }),
    );
  return [...new Set(texts)].join(', ');
}
