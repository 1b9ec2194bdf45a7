/** Offers to install the app. iOS has no install prompt, so people get instructions there. */
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { isInstalled, isIos } from '../ui/home-screen.ts';
import styles from './install-hint.module.css';
import { useInstallPrompt } from './install-prompt.ts';

const dismissedKey = 'install-hint';

export function InstallButton() {
  const { t } = useTranslation();
  const event = useInstallPrompt((state) => state.event);
  if (isInstalled()) return null;
  if (event) {
    return (
      <Button wide onClick={() => void event.prompt()}>
        <Download />
        {t('app.install.install')}
      </Button>
    );
  }
  return isIos() ? <p className={styles['text']}>{t('app.install.ios')}</p> : null;
}

/** The install offer with its reasons, until somebody dismisses it. */
export function InstallHint() {
  const { t } = useTranslation();
  const event = useInstallPrompt((state) => state.event);
  const [dismissed, setDismissed] = useState(() => localStorage.getItem(dismissedKey) !== null);
  if (dismissed || isInstalled() || (!event && !isIos())) return null;
  const put = () => {
    localStorage.setItem(dismissedKey, '1');
    setDismissed(true);
  };
  return (
    <Banner
      title={t('app.install.title')}
      actions={<InstallButton />}
      dismiss={{ label: t('app.dismiss'), onClick: put }}
    >
      {t('app.install.text')} {isIos() && t('app.install.iosStorage')}
    </Banner>
  );
}
