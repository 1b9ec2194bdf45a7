import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useOpened } from '#src/navigation/use-opened.ts';
import { Button } from '#src/ui/button.tsx';

/** Opens the form for a new service, which the list of services shows. */
export function AddService() {
  const { t } = useTranslation();
  const service = useOpened('service');
  return (
    <Button variant="primary" onClick={() => service.open('new')}>
      <Plus />
      {t('services.add')}
    </Button>
  );
}
