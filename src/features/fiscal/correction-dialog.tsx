import { chakra } from '@chakra-ui/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RecordResource } from '#domain/fiscal/resources.ts';
import { recordSeen } from '#domain/fiscal/seen.ts';
import { isTaxId, normalTaxId } from '#domain/tax/tax-id.ts';
import { callServer } from '#src/api/client.ts';
import { DecisionDialog } from '#src/decisions/decision-dialog.tsx';
import { useDecision } from '#src/decisions/use-decision.ts';
import { fiscalPaths } from '#src/server-data/fiscal.ts';
import { TextField } from '#src/ui/text-field.tsx';
import { useRecordWords } from './record-words.ts';

interface Correction {
  recipient?: { name: string; tax_id: string };
}

/** Sends a record anew, with what was wrong in it mended. */
export function CorrectionDialog({ record, onClose }: { record: RecordResource; onClose: () => void }) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const [taxId, setTaxId] = useState('');
  const [isSubmitted, setSubmitted] = useState(false);
  const correct = useDecision<RecordResource, Correction>(record, {
    fields: recordSeen,
    words: useRecordWords(),
    call: (body, headers, { id }) => callServer('post', `fiscal/records/${id}/correct`, body, headers),
    refreshes: fiscalPaths,
    done: () => t('fiscal.correct.done', { number: record.number }),
    failed: t('fiscal.correct.open'),
  });
  const given = { name: name.trim(), tax_id: normalTaxId(taxId) };
  // Without both the record keeps its recipient.
  const isGiven = given.name !== '' || given.tax_id !== '';
  const nameProblem = isGiven && given.name === '' ? t('problems.REQUIRED') : undefined;
  const taxIdProblem = isGiven && !isTaxId(given.tax_id) ? t('problems.TAX_ID_INVALID') : undefined;

  async function submit() {
    setSubmitted(true);
    if (nameProblem || taxIdProblem) return;
    if (await correct.run(isGiven ? { recipient: given } : {})) onClose();
  }

  return (
    <DecisionDialog
      decision={correct}
      title={t('fiscal.correct.open')}
      width="26rem"
      confirmLabel={t('fiscal.correct.confirm')}
      isPossible={correct.shown.is_correctable}
      onClose={onClose}
      onConfirm={() => void submit()}
    >
      <chakra.p color="fg.muted">{t('fiscal.correct.text', { number: record.number })}</chakra.p>
      {record.has_recipient && (
        <>
          <TextField
            label={t('fiscal.correct.name')}
            hint={t('fiscal.correct.recipientHint')}
            error={isSubmitted ? nameProblem : undefined}
            maxLength={120}
            autoComplete="off"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          <TextField
            label={t('tax.recipient.tax_id')}
            error={isSubmitted ? taxIdProblem : undefined}
            maxLength={20}
            autoComplete="off"
            value={taxId}
            onChange={({ target }) => setTaxId(target.value)}
          />
        </>
      )}
    </DecisionDialog>
  );
}
