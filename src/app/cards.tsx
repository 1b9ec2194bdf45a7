/** Cards that lie over every screen, so that nothing moves. */
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { isBusy, useActivity } from '../sync/activity.ts';
import { useLostStorage } from '../sync/lost-storage.ts';
import { applyUpdate, useWorker } from '../sync/worker-state.ts';
import styles from './cards.module.css';

/** Offers a new version of the app while the person is idle. */
export function UpdateCard() {
  const { t } = useTranslation();
  const waiting = useWorker((state) => state.waiting !== null);
  const busy = useActivity(isBusy);
  const [later, setLater] = useState(false);
  if (!waiting || busy || later) return null;
  return (
    <div className={styles['card']}>
      <Banner
        tone="accent"
        title={t('app.update.title')}
        actions={
          <Button variant="primary" onClick={applyUpdate}>
            {t('app.update.apply')}
          </Button>
        }
        dismiss={{ label: t('app.dismiss'), onClick: () => setLater(true) }}
      >
        {t('app.update.text')}
      </Banner>
    </div>
  );
}

/** Tells that the browser has deleted unsent work, until somebody acknowledges it. */
export function LostStorageCard() {
  const { t } = useTranslation();
  const lost = useLostStorage((notes) => notes.lost);
  if (!lost) return null;
  return (
    <div className={styles['card']}>
      <Banner
        tone="refused"
        title={t('app.lostStorage.title')}
        actions={
          <Button onClick={() => useLostStorage.setState({ lost: null })}>{t('app.lostStorage.acknowledge')}</Button>
        }
      >
        {t('app.lostStorage.text', { count: lost.count, code: lost.code })}
      </Banner>
    </div>
  );
}
