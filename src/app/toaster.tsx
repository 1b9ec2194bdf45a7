import { useTranslation } from 'react-i18next';
import { useSession } from '../session/session.ts';
import { Toaster } from '../ui/toaster.tsx';

export function AppToaster() {
  const { t } = useTranslation();
  // What was said to one person is not for whoever stands before the lock.
  const locked = useSession((state) => state.locked);
  if (locked) return null;
  return <Toaster label={t('app.notifications')} dismissLabel={t('app.dismiss')} />;
}
