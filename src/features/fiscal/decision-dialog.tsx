import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import type { RecordResource } from '#domain/fiscal/resources.ts';
import { recordSeen } from '#domain/fiscal/seen.ts';
import { callServer } from '#src/api/client.ts';
import { DecisionDialog } from '#src/decisions/decision-dialog.tsx';
import { useDecision } from '#src/decisions/use-decision.ts';
import { fiscalPaths } from '#src/server-data/fiscal.ts';
import { useRecordWords } from './record-words.ts';

/** What a manager decides about a record that no document confirms. */
export type Decision = 'release' | 'annul';

export function RecordDecision({
  record,
  decision,
  onClose,
}: {
  record: RecordResource;
  decision: Decision;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const { number } = record;
  const decide = useDecision(record, {
    fields: recordSeen,
    words: useRecordWords(),
    call: (body, headers, { id }) => callServer('post', `fiscal/records/${id}/${decision}`, body, headers),
    refreshes: fiscalPaths,
    done: () => t(`fiscal.${decision}.done`, { number }),
    failed: t(`fiscal.${decision}.open`),
  });
  return (
    <DecisionDialog
      decision={decide}
      title={t(`fiscal.${decision}.open`)}
      width="26rem"
      confirmLabel={t(`fiscal.${decision}.confirm`)}
      danger={decision === 'annul'}
      isPossible={decide.shown.is_annullable}
      onClose={onClose}
      onConfirm={() => void decide.run({}).then((done) => done && onClose())}
    >
      <chakra.p color="fg.muted">{t(`fiscal.${decision}.text`, { number })}</chakra.p>
    </DecisionDialog>
  );
}
