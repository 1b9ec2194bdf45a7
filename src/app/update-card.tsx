import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { isBusy, useActivity } from '../sync/activity.ts';
import { applyUpdate, useWorker } from '../sync/worker-state.ts';
import styles from './update-card.module.css';

/** Offers a new version of the app while the person is idle, as an overlay so that nothing moves. */
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
