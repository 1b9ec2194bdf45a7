import { useTranslation } from 'react-i18next';
import { useSession } from '../session/session.ts';
import { Toaster } from '../ui/toaster.tsx';

export function AppToaster() {
  const { t } = useTranslation();
  // A message for one person must not show to the next one at the lock screen.
  const locked = useSession((state) => state.locked);
  if (locked) return null;
  return <Toaster label={t('app.notifications')} dismissLabel={t('app.dismiss')} />;
}
