import { useTranslation } from 'react-i18next';
import { useLostStorage } from '../sync/lost-storage.ts';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import styles from './update-card.module.css';

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
