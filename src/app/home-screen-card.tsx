/** On Apple's devices: asks for the home screen in a tab, and in the installed app for what the tab had not sent. */
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { InstallHint, useDismissed } from '../install/install-hint.tsx';
import { rescuePath } from '../install/unsent-first.tsx';
import { useSession } from '../session/session.ts';
import { isBusy, useActivity } from '../sync/activity.ts';
import { Banner } from '../ui/banner.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import { isInstalled } from '../ui/home-screen.ts';
import styles from './cards.module.css';

export function HomeScreenCard() {
  // During a sale it would lie over the services.
  const busy = useActivity(isBusy);
  if (busy) return null;
  return <div className={styles['card']}>{isInstalled() ? <CarryOver /> : <InstallHint />}</div>;
}

/** Offers, at the first start, to take over the rescue file of a tab: the installed app does not share its storage. */
function CarryOver() {
  const { t } = useTranslation();
  const role = useSession((state) => state.user?.role);
  const [dismissed, dismiss] = useDismissed('carry-over');
  if (dismissed || !role) return null;
  return (
    <Banner
      tone="accent"
      title={t('app.carryOver.title')}
      actions={
        <>
          <Link to={rescuePath(role, 'import')} className={buttonClass({ variant: 'primary' })} onClick={dismiss}>
            {t('app.carryOver.choose')}
          </Link>
          <Button onClick={dismiss}>{t('app.carryOver.none')}</Button>
        </>
      }
    >
      {t('app.carryOver.text')}
    </Banner>
  );
}
