import { Flex } from '@chakra-ui/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PatientResource } from '../../../../domain/patient/resources.ts';
import type { PlannedPatient } from '../../../db/commands/patients.ts';
import { DrawerHead } from '../../../ui/drawer-head.tsx';
import { Drawer } from '../../../ui/drawer.tsx';
import { currentDraft, usePlan } from '../plan-store.ts';
import { PatientSearch } from './patient-search.tsx';
import { PatientForm } from './patient-form.tsx';
import { PatientHistory } from './patient-history.tsx';

const width = '28rem';

/** Who the plan is for: looked up, or new; once somebody is chosen, what they had done and what of them is to be corrected. */
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
  const { patient, customerName } = usePlan(currentDraft);
  const [text, setText] = useState(customerName);
  const [isTyping, setTyping] = useState(false);
  const head = {
    closeLabel: t('patients.close'),
    onClose,
    back: isTyping ? { label: t('patients.back'), onClick: () => setTyping(false) } : null,
  };
  function choose(chosen: PlannedPatient) {
    usePlan.getState().setPatient(chosen);
    onClose();
  }
  if (isTyping) {
    return (
      <Flex direction="column" height="full">
        <DrawerHead {...head} title={patient ? t('patients.correct') : t('patients.new')} />
        <PatientForm known={patient} typed={text} onDone={choose} />
      </Flex>
    );
  }
  return (
    <Flex direction="column" height="full">
      <DrawerHead {...head} title={patient?.name ?? t('patients.title')} />
      {patient ? (
        <PatientHistory patient={patient} onCorrect={() => setTyping(true)} />
      ) : (
        <PatientSearch text={text} onText={setText} onChoose={choose} onNew={() => setTyping(true)} />
      )}
    </Flex>
  );
}

/** What a patient had done, from wherever their name stands. */
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
        <PatientHistory patient={patient} />
      </Flex>
    </Drawer>
  );
}
