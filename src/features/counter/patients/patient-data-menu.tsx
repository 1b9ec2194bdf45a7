import { Eraser, FileDown, ShieldUser } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PatientResource } from '#domain/patient/resources.ts';
import { patientSeen } from '#domain/patient/seen.ts';
import { erasureProblems } from '#domain/patient/erasure.ts';
import { callServer } from '#src/api/client.ts';
import { DecisionDialog } from '#src/decisions/decision-dialog.tsx';
import { useDecision } from '#src/decisions/use-decision.ts';
import { useFileExport } from '#src/api/use-file-export.ts';
import { CheckField } from '#src/ui/check-field.tsx';
import { Dropdown } from '#src/ui/dropdown.tsx';
import { Spinner } from '#src/ui/spinner.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { StyledButton } from '#src/ui/styled.tsx';
import { usePatientWords } from './patient-words.ts';

interface PatientDataProps {
  patient: PatientResource;
}

/** What a manager does with a patient's data as a whole: export or erase them. Both need the server. */
export function PatientDataMenu({ patient, isErased }: PatientDataProps & { isErased: boolean }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const [isErasing, setErasing] = useState(false);
  const { run, running } = useFileExport();
  async function exportData(): Promise<void> {
    const isSaved = await run({
      path: `patients/${patient.id}/export`,
      name: `patient_${patient.id}.json`,
      done: t('patients.exported'),
      failed: t('patients.exportFailed'),
    });
    if (isSaved) setOpen(false);
  }
  return (
    <>
      <Dropdown label={t('patients.data')} icon={<ShieldUser />} open={open} onOpenChange={setOpen} alignEnd>
        <StyledButton
          variant="quiet"
          wide
          justifyContent="flex-start"
          disabled={running !== null}
          onClick={() => void exportData()}
        >
          {running ? <Spinner size={20} /> : <FileDown />}
          {t('patients.export')}
        </StyledButton>
        {!isErased && (
          <StyledButton
            variant="quiet"
            wide
            justifyContent="flex-start"
            onClick={() => {
              setOpen(false);
              setErasing(true);
            }}
          >
            <Eraser />
            {t('patients.erase.open')}
          </StyledButton>
        )}
      </Dropdown>
      {isErasing && <EraseDialog patient={patient} onClose={() => setErasing(false)} />}
    </>
  );
}

function EraseDialog({ patient, onClose }: PatientDataProps & { onClose: () => void }) {
  const { t } = useTranslation();
  const [reason, setReason] = useState('');
  const [isSure, setSure] = useState(false);
  const [submitted, setSubmitted] = useState(false);
  const erasure = useDecision<PatientResource, { reason: string; confirm: true }>(patient, {
    fields: patientSeen,
    words: usePatientWords(),
    call: (body, headers, { id }) => callServer('post', `patients/${id}/erase`, body, headers),
    refreshes: [],
    done: () => t('patients.erase.done'),
    failed: t('patients.erase.failed'),
  });
  const { shown } = erasure;
  const problem = erasureProblems(reason, shown).reason;
  async function submit(): Promise<void> {
    setSubmitted(true);
    if (problem || !isSure) return;
    if (await erasure.run({ reason, confirm: true })) onClose();
  }
  return (
    <DecisionDialog
      decision={erasure}
      title={t('patients.erase.title', { name: shown.name })}
      width="32rem"
      confirmLabel={t('patients.erase.confirm')}
      danger
      isPossible={!shown.erased_at}
      isReady={isSure}
      onClose={onClose}
      onConfirm={() => void submit()}
    >
      <p>{t('patients.erase.gone')}</p>
      <p>{t('patients.erase.stays')}</p>
      <TextField
        label={t('patients.erase.reason')}
        hint={t('patients.erase.reasonHint')}
        error={submitted && problem ? t(`problems.${problem}`) : undefined}
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <CheckField
        label={t('patients.erase.sure')}
        checked={isSure}
        onChange={(event) => setSure(event.target.checked)}
      />
    </DecisionDialog>
  );
}
