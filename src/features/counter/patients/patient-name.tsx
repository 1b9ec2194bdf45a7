import { useLiveQuery } from '#src/local-data/live.ts';
import { History } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { db } from '#src/local-data/database.ts';
import { useMay } from '#src/session/session.ts';
import type { OrderRow } from '#src/db/database.ts';
import { useCustomerName } from '#src/formats/use-customer-name.ts';
import { loadLater } from '#src/ui/load-later.tsx';
import { useEver } from '#src/ui/use-ever.ts';
import { StyledButton } from '#src/ui/styled.tsx';

const HistoryDrawer = loadLater(async () => (await import('./patient-drawer.tsx')).HistoryDrawer);

/** Shows the name on a treatment. The name of a registered patient opens the patient's history. */
export function PatientName({ order }: { order: OrderRow }) {
  const { t } = useTranslation();
  const { patientId } = order;
  const name = useCustomerName()(order);
  const [open, setOpen] = useState(false);
  const everOpen = useEver(open);
  const phone =
    useLiveQuery(async () => (patientId ? (await db.patients.get(patientId))?.phone : ''), [patientId]) ?? '';
  const mayRead = useMay('patient.read');
  if (patientId === null || !mayRead) return <>{name}</>;
  const patient = { id: patientId, name, phone };
  return (
    <>
      <StyledButton
        variant="quiet"
        px="2"
        ms="-2"
        color="accent.fg"
        textAlign="start"
        whiteSpace="normal"
        overflowWrap="anywhere"
        flexShrink={1}
        aria-label={t('patients.historyOf', { name })}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <span>{name}</span>
        <History />
      </StyledButton>
      <Suspense fallback={null}>
        {everOpen && <HistoryDrawer patient={patient} open={open} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  );
}
