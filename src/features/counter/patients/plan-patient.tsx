import { chakra, Flex } from '@chakra-ui/react';
import { useLiveQuery } from 'dexie-react-hooks';
import { UserRound, X } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { db } from '../../../local-data/database.ts';
import type { PlannedPatient } from '../../../db/commands/patients.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { loadLater } from '../../../ui/load-later.tsx';
import { useEver } from '../../../ui/use-ever.ts';
import { currentDraft, usePlan } from '../plan-store.ts';
import { PatientField } from './patient-field.tsx';

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
    <Flex height="12" borderWidth="1px" borderColor="accent.solid" borderRadius="md" bg="accent.subtle">
      <chakra.button
        type="button"
        aria-label={[t('patients.historyOf', { name }), phone].filter(Boolean).join(', ')}
        aria-haspopup="dialog"
        title={[name, phone].filter(Boolean).join(', ')}
        onClick={onOpen}
        display="flex"
        alignItems="center"
        gap="2"
        flex="1"
        minWidth="0"
        ps="3"
        fontSize="sm"
        lineHeight="1.25"
        textAlign="start"
        borderRadius="md"
        cursor="pointer"
      >
        <UserRound size={20} style={{ flexShrink: 0 }} aria-hidden />
        <chakra.span minWidth="0">
          <chakra.span fontWeight="medium" lineClamp={shownPhone ? '1' : '2'} overflowWrap="anywhere">
            {name}
          </chakra.span>
          {shownPhone && (
            <chakra.span display="block" color="fg.muted" fontVariantNumeric="tabular-nums" truncate>
              {shownPhone}
            </chakra.span>
          )}
        </chakra.span>
      </chakra.button>
      <IconButton
        label={t('patients.remove', { name })}
        borderWidth="0"
        minHeight="0"
        onClick={() => usePlan.getState().setPatient(undefined)}
      >
        <X />
      </IconButton>
    </Flex>
  );
}
