import { useLiveQuery } from '#src/local-data/live.ts';
import { UserRound, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { db } from '#src/local-data/database.ts';
import type { PlannedPatient } from '#src/db/commands/patients.ts';
import { classes } from '#src/ui/classes.ts';
import { isolated } from '#src/ui/isolated.ts';
import { IconButton } from '#src/ui/icon-button.tsx';
import text from '#src/ui/text.module.css';
import { openPlanDialog } from '../create/plan-dialog-store.ts';
import { currentDraft, usePlan } from '../plan-store.ts';
import { PatientField } from './patient-field.tsx';
import styles from './plan-patient.module.css';

const { searchPatient, setCustomerName, setPatient } = usePlan.getState();
const chooseNobody = (): void => setPatient(undefined);
const openDrawer = (): void => openPlanDialog('patient');

/** Holds the plan's customer: a registered patient, or a name that somebody confirmed. What is only typed is neither. */
export function PlanPatient() {
  const customerName = usePlan((state) => currentDraft(state).customerName);
  const patient = usePlan((state) => currentDraft(state).patient);
  const sought = usePlan((state) => currentDraft(state).patientSearch) ?? '';
  const [isChosenHere, setChosenHere] = useState(false);
  const after = (use: () => void) => {
    use();
    setChosenHere(true);
  };
  if (patient) return <ChosenPatient patient={patient} takesFocus={isChosenHere} onOpen={openDrawer} />;
  if (customerName) return <NameOnly name={customerName} takesFocus={isChosenHere} />;
  return (
    <PatientField
      text={sought}
      onText={searchPatient}
      onChoose={(chosen) => after(() => setPatient(chosen))}
      onName={(name) => after(() => setCustomerName(name))}
      onNew={openDrawer}
    />
  );
}

/** A name of up to this many characters leaves a line for the phone number. */
const oneLine = 26;

interface ChosenPatientProps extends TakesFocus {
  patient: PlannedPatient;
  onOpen: () => void;
}

function ChosenPatient({ patient: { id, name, phone }, takesFocus, onOpen }: ChosenPatientProps) {
  const { t } = useTranslation();
  const isErased = useLiveQuery(async () => (await db.patients.get(id))?.erased_at !== undefined, [id]);
  useEffect(() => {
    if (isErased) chooseNobody();
  }, [isErased]);
  const shownPhone = name.length <= oneLine ? phone : '';
  return (
    <ChosenName
      name={name}
      detail={shownPhone}
      label={[t('patients.historyOf', { name }), phone].filter(Boolean).join(', ')}
      title={[isolated(name), phone].filter(Boolean).join(', ')}
      opensDialog
      takesFocus={takesFocus}
      onOpen={onOpen}
    />
  );
}

/** A name without a patient. A tap makes it the text of a search again. */
function NameOnly({ name, takesFocus }: TakesFocus & { name: string }) {
  const { t } = useTranslation();
  const note = t('patients.nameOnly');
  return (
    <ChosenName
      name={name}
      detail={note}
      label={t('patients.changeName', { name })}
      title={`${isolated(name)}, ${note}`}
      takesFocus={takesFocus}
      onOpen={() => searchPatient(name)}
    />
  );
}

interface TakesFocus {
  /** True if the name takes the place of a field that had the focus. */
  takesFocus: boolean;
}

interface ChosenNameProps extends TakesFocus {
  name: string;
  /** Stands below the name, which then has one line. */
  detail: string;
  label: string;
  title: string;
  opensDialog?: boolean;
  onOpen: () => void;
}

/** Who was chosen, in the place of the search. */
function ChosenName({ name, detail, label, title, opensDialog = false, takesFocus, onOpen }: ChosenNameProps) {
  const { t } = useTranslation();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (takesFocus && document.activeElement === document.body) button.current?.focus({ preventScroll: true });
  }, [takesFocus]);
  return (
    <div className={styles['patient']} data-known={opensDialog}>
      <button
        ref={button}
        type="button"
        className={styles['person']}
        aria-label={label}
        aria-haspopup={opensDialog ? 'dialog' : undefined}
        title={title}
        onClick={onOpen}
      >
        <UserRound size={20} aria-hidden />
        <span className={styles['words']}>
          <span className={classes(text['clamp'], styles['name'], detail && styles['oneLine'])}>{name}</span>
          {detail && <span className={classes(styles['phone'], text['truncate'])}>{detail}</span>}
        </span>
      </button>
      <IconButton className={styles['remove']} label={t('patients.remove', { name })} onClick={chooseNobody}>
        <X />
      </IconButton>
    </div>
  );
}
