import { chakra, Flex } from '@chakra-ui/react';
import { useLiveQuery } from 'dexie-react-hooks';
import { UserRound, UserRoundSearch, X } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { db } from '../../../local-data/database.ts';
import { useMay } from '../../../session/session.ts';
import type { PlannedPatient } from '../../../db/commands/patients.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { loadLater } from '../../../ui/load-later.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { useEver } from '../../../ui/use-ever.ts';
import { currentDraft, usePlan } from '../plan-store.ts';

const PatientDrawer = loadLater(async () => (await import('./patient-drawer.tsx')).PatientDrawer);

/** Holds the plan's customer: a typed name, or a registered patient. */
export function PlanPatient() {
  const { t } = useTranslation();
  const customerName = usePlan((state) => currentDraft(state).customerName);
  const patient = usePlan((state) => currentDraft(state).patient);
  const [open, setOpen] = useState(false);
  const everOpen = useEver(open);
  const mayRead = useMay('patient.read');
  const openDrawer = () => setOpen(true);
  return (
    <>
      {patient ? (
        <ChosenPatient patient={patient} onOpen={openDrawer} />
      ) : (
        <Flex gap="2">
          <TextField
            label={t('counter.plan.customer')}
            labelHidden
            placeholder={t('counter.plan.customer')}
            maxLength={200}
            autoComplete="off"
            value={customerName}
            onChange={(event) => usePlan.getState().setCustomerName(event.target.value)}
          />
          {mayRead && (
            <Button px="3" aria-haspopup="dialog" onClick={openDrawer}>
              <UserRoundSearch />
              {t('patients.title')}
            </Button>
          )}
        </Flex>
      )}
      <Suspense fallback={null}>{everOpen && <PatientDrawer open={open} onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}

function ChosenPatient({ patient: { id, name, phone }, onOpen }: { patient: PlannedPatient; onOpen: () => void }) {
  const { t } = useTranslation();
  const isErased = useLiveQuery(async () => (await db.patients.get(id))?.erased_at !== undefined, [id]);
  useEffect(() => {
    if (isErased) usePlan.getState().setPatient(undefined);
  }, [isErased]);
  return (
    <Flex
      align="stretch"
      minHeight="12"
      borderWidth="1px"
      borderColor="accent.solid"
      borderRadius="md"
      bg="accent.subtle"
    >
      <chakra.button
        type="button"
        aria-label={t('patients.historyOf', { name })}
        aria-haspopup="dialog"
        onClick={onOpen}
        display="flex"
        alignItems="center"
        gap="3"
        flex="1"
        minWidth="0"
        ps="3"
        py="1"
        textAlign="start"
        borderRadius="md"
        cursor="pointer"
      >
        <UserRound size={20} style={{ flexShrink: 0 }} aria-hidden />
        <chakra.span minWidth="0">
          <chakra.span display="block" fontWeight="medium" lineHeight="1.3" overflowWrap="anywhere">
            {name}
          </chakra.span>
          {phone && (
            <chakra.span display="block" fontSize="sm" color="fg.muted" fontVariantNumeric="tabular-nums">
              {phone}
            </chakra.span>
          )}
        </chakra.span>
      </chakra.button>
      <IconButton label={t('patients.remove', { name })} onClick={() => usePlan.getState().setPatient(undefined)}>
        <X />
      </IconButton>
    </Flex>
  );
}
