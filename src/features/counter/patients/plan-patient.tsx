import { useLiveQuery } from 'dexie-react-hooks';
import { UserRound, X } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { db } from '../../../local-data/database.ts';
import type { PlannedPatient } from '../../../db/commands/patients.ts';
import { classes } from '../../../ui/classes.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { loadLater } from '../../../ui/load-later.tsx';
import text from '../../../ui/text.module.css';
import { useEver } from '../../../ui/use-ever.ts';
import { currentDraft, usePlan } from '../plan-store.ts';
import { PatientField } from './patient-field.tsx';
import styles from './plan-patient.module.css';

const PatientDrawer = loadLater(async () => (await import('./patient-drawer.tsx')).PatientDrawer);

const setName = (name: string): void => usePlan.getState().setCustomerName(name);
const setPatient = (patient: PlannedPatient): void => usePlan.getState().setPatient(patient);

/** Holds the plan's customer: a typed name, or a registered patient. */
export function PlanPatient() {
  const customerName = usePlan((state) => currentDraft(state).customerName);
  const patient = usePlan((state) => currentDraft(state).patient);
  const [open, setOpen] = useState(false);
  const everOpen = useEver(open);
  const openDrawer = () => setOpen(true);
  return (
    <>
      {patient ? (
        <ChosenPatient patient={patient} onOpen={openDrawer} />
      ) : (
        <PatientField text={customerName} onText={setName} onChoose={setPatient} onNew={openDrawer} />
      )}
      <Suspense fallback={null}>{everOpen && <PatientDrawer open={open} onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}

/** A name of up to this many characters leaves a line for the phone number. */
const oneLine = 26;

function ChosenPatient({ patient: { id, name, phone }, onOpen }: { patient: PlannedPatient; onOpen: () => void }) {
  const { t } = useTranslation();
  const isErased = useLiveQuery(async () => (await db.patients.get(id))?.erased_at !== undefined, [id]);
  useEffect(() => {
    if (isErased) usePlan.getState().setPatient(undefined);
  }, [isErased]);
  const shownPhone = name.length <= oneLine ? phone : '';
  return (
    <div className={styles['patient']}>
      <button
        type="button"
        className={styles['person']}
        aria-label={[t('patients.historyOf', { name }), phone].filter(Boolean).join(', ')}
        aria-haspopup="dialog"
        title={[name, phone].filter(Boolean).join(', ')}
        onClick={onOpen}
      >
        <UserRound size={20} aria-hidden />
        <span className={styles['words']}>
          <span className={classes(text['clamp'], styles['name'], shownPhone && styles['oneLine'])}>{name}</span>
          {shownPhone && <span className={classes(styles['phone'], text['truncate'])}>{shownPhone}</span>}
        </span>
      </button>
      <IconButton
        className={styles['remove']}
        label={t('patients.remove', { name })}
        onClick={() => usePlan.getState().setPatient(undefined)}
      >
        <X />
      </IconButton>
    </div>
  );
}
