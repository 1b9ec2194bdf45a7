import { useTranslation } from 'react-i18next';
import { Toaster } from '../ui/toaster.tsx';

export function AppToaster() {
  const { t } = useTranslation();
  return <Toaster label={t('app.notifications')} dismissLabel={t('app.dismiss')} />;
}
