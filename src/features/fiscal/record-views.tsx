import { chakra, Flex } from '@chakra-ui/react';
import { Ban, FilePen, Send } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { RecordResource, SendingState } from '#domain/fiscal/resources.ts';
import type { DocumentType } from '#domain/tax/document.ts';
import { useMoney } from '#src/formats/money.tsx';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { useMay } from '#src/session/session.ts';
import { Badge } from '#src/ui/badge.tsx';
import { Button } from '#src/ui/button.tsx';
import type { Column } from '#src/ui/columns.ts';
import type { Tone } from '#src/ui/tone.ts';
import type { Decision } from './decision-dialog.tsx';
import { RenewCodes } from './renew-codes.tsx';

const tones: Record<SendingState, Tone> = {
  unsent: 'due',
  accepted: 'paid',
  accepted_with_errors: 'low',
  rejected: 'refused',
  not_sent: 'neutral',
};

/**
 * Returns the table columns and the phone card of a record.
 *
 * Both functions open a dialog, which is not in the row: a turn of the tablet or a refresh replaces that.
 */
export function useRecordViews(
  onCorrect: (record: RecordResource) => void,
  onDecide: (record: RecordResource, decision: Decision) => void,
): {
  columns: Column<RecordResource>[];
  card: (row: RecordResource) => ReactNode;
} {
  const { t } = useTranslation();
  const { dateTime } = useClinicFormats();
  const money = useMoney();
  const mayCorrect = useMay('fiscal.correct');
  const mayRelease = useMay('fiscal.release');
  const mayAnnul = useMay('fiscal.annul');
  const mayRenew = useMay('device.revoke');
  const type = ({ document_type }: RecordResource) =>
    t(`fiscal.list.types.${(document_type ?? 'cancel') as DocumentType | 'cancel'}`);
  const total = ({ total: text }: RecordResource) => (text === null ? '–' : money(Number(text)));
  const place = ({ chain, sequence }: RecordResource) => (
    <chakra.span whiteSpace="nowrap">{t('fiscal.list.place', { chain, sequence })}</chakra.span>
  );
  const state = (row: RecordResource) => (
    <>
      <Badge tone={row.held_for ? 'refused' : tones[row.state]}>
        {t(row.held_for ? 'fiscal.list.held' : `fiscal.list.states.${row.state}`)}
      </Badge>
      {row.held_for && (
        <chakra.p fontSize="sm" mt="1" maxWidth="32rem">
          {t(`fiscal.list.heldFor.${row.held_for}`)}
        </chakra.p>
      )}
      {row.is_annullable && (
        <Flex mt="2" gap="2" wrap="wrap">
          {row.held_for && mayRelease && (
            <Button size="sm" onClick={() => onDecide(row, 'release')}>
              <Send />
              {t('fiscal.release.open')}
            </Button>
          )}
          {mayAnnul && (
            <Button size="sm" onClick={() => onDecide(row, 'annul')}>
              <Ban />
              {t('fiscal.annul.open')}
            </Button>
          )}
        </Flex>
      )}
      {row.advice && (
        <chakra.div fontSize="sm" mt="1" maxWidth="32rem">
          <chakra.p color="fg.muted" overflowWrap="anywhere">
            {t('fiscal.list.agency', { text: [row.code, row.message].filter(Boolean).join(': ') })}
          </chakra.p>
          <p>{t(`fiscal.advice.${row.advice}`)}</p>
          {row.is_correctable && mayCorrect && (
            <chakra.div mt="2">
              <Button size="sm" onClick={() => onCorrect(row)}>
                <FilePen />
                {t('fiscal.correct.open')}
              </Button>
            </chakra.div>
          )}
          {row.advice === 'duplicate' && row.state === 'rejected' && mayRenew && (
            <chakra.div mt="2">
              <RenewCodes />
            </chakra.div>
          )}
        </chakra.div>
      )}
    </>
  );
  return {
    columns: [
      {
        key: 'number',
        header: t('fiscal.list.columns.number'),
        cell: ({ number }) => (
          <chakra.span fontWeight="medium" whiteSpace="nowrap">
            {number}
          </chakra.span>
        ),
      },
      { key: 'type', header: t('fiscal.list.columns.type'), cell: type, from: 68 },
      { key: 'made', header: t('fiscal.list.columns.made'), cell: ({ generated_at }) => dateTime(generated_at) },
      { key: 'place', header: t('fiscal.list.columns.place'), cell: place },
      { key: 'total', header: t('fiscal.list.columns.total'), numeric: true, cell: total },
      { key: 'state', header: t('fiscal.list.columns.state'), cell: state },
    ],
    card: (row) => (
      <Flex direction="column" gap="2" minWidth="0">
        <Flex justify="space-between" gap="3">
          <chakra.span fontWeight="medium" overflowWrap="anywhere">
            {row.number}
          </chakra.span>
          <chakra.span fontVariantNumeric="tabular-nums" whiteSpace="nowrap">
            {total(row)}
          </chakra.span>
        </Flex>
        <Flex wrap="wrap" columnGap="3" fontSize="sm" color="fg.muted">
          <span>{type(row)}</span>
          <chakra.span whiteSpace="nowrap">{dateTime(row.generated_at)}</chakra.span>
          {place(row)}
        </Flex>
        <div>{state(row)}</div>
      </Flex>
    ),
  };
}
