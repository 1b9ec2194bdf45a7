import { Flex } from '@chakra-ui/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PatientResource } from '#domain/patient/resources.ts';
import type { PlannedPatient } from '#src/db/commands/patients.ts';
import { useReopened } from '#src/forms/use-reopened.ts';
import { DrawerHead } from '#src/ui/drawer-head.tsx';
import { Drawer } from '#src/ui/drawer.tsx';
import { currentDraft, usePlan } from '../plan-store.ts';
import { PatientForm, patientDraft } from './patient-form.tsx';
import { PatientHistory } from './patient-history.tsx';

const width = '28rem';

/** Adds the plan's patient from a form; for a chosen patient, shows the history and edits the data. */
export function PatientDrawer({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Drawer open={open} onClose={onClose} label={t('patients.title')} side="end" width={width}>
      <PlannedPatientView onClose={onClose} />
    </Drawer>
  );
}

function PlannedPatientView({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { patient, patientSearch = '' } = usePlan(currentDraft);
  const [isFormOpen, setFormOpen] = useState(false);
  useReopened(patientDraft(patient?.id), () => setFormOpen(true));
  const head = { closeLabel: t('patients.close'), onClose };
  function choose(chosen: PlannedPatient) {
    usePlan.getState().setPatient(chosen);
    onClose();
  }
  const isHistory = patient && !isFormOpen;
  return (
    <Flex direction="column" height="full">
      {isHistory ? (
        <>
          <DrawerHead {...head} title={patient.name} />
          <PatientHistory patient={patient} onClose={onClose} onEdit={() => setFormOpen(true)} />
        </>
      ) : (
        <>
          <DrawerHead
            {...head}
            back={patient ? { label: t('patients.back'), onClick: () => setFormOpen(false) } : null}
            title={patient ? t('patients.correct') : t('patients.new')}
          />
          <PatientForm known={patient} searchText={patientSearch} onDone={choose} />
        </>
      )}
    </Flex>
  );
}

export function HistoryDrawer({
  patient,
  open,
  onClose,
}: {
  patient: PatientResource;
  open: boolean;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  return (
    <Drawer
      open={open}
      onClose={onClose}
      label={t('patients.historyOf', { name: patient.name })}
      side="end"
      width={width}
    >
      <Flex direction="column" height="full">
        <DrawerHead title={patient.name} closeLabel={t('patients.close')} onClose={onClose} />
        <PatientHistory patient={patient} onClose={onClose} />
      </Flex>
    </Drawer>
  );
}
