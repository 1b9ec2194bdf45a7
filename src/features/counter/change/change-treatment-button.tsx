import { ListChecks } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OrderRow } from '#src/db/database.ts';
import { useMay } from '#src/session/session.ts';
import { Button } from '#src/ui/button.tsx';
import { loadLater } from '#src/ui/load-later.tsx';

const ChangeTreatmentDialog = loadLater(
  async () => (await import('./change-treatment-dialog.tsx')).ChangeTreatmentDialog,
);

/** Opens the dialog that changes an open treatment. */
export function ChangeTreatmentButton({ order }: { order: OrderRow }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  if (!useMay('order.change')) return null;
  return (
    <>
      <Button variant="quiet" onClick={() => setOpen(true)}>
        <ListChecks />
        {t('counter.amend.open')}
      </Button>
      <Suspense fallback={null}>
        {open && <ChangeTreatmentDialog order={order} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  );
}
