/** Offers to install the app. Safari has no install prompt, so people get instructions there. */
import { Download } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { isInstalled, isIos, isSafari } from '../ui/home-screen.ts';
import { loadPlain } from '../ui/load-later.tsx';
import styles from './install-hint.module.css';
import { useInstallPrompt } from './install-prompt.ts';

const UnsentFirst = loadPlain(async () => (await import('./unsent-first.tsx')).UnsentFirst);

/** A device shows each of these once. */
export type Hint = 'install-hint' | 'carry-over';

/** Returns whether somebody has dismissed a hint, and dismisses it. */
export function useDismissed(hint: Hint): [dismissed: boolean, dismiss: () => void] {
  const [dismissed, setDismissed] = useState(() => localStorage.getItem(hint) !== null);
  const dismiss = () => {
    localStorage.setItem(hint, '1');
    setDismissed(true);
  };
  return [dismissed, dismiss];
}

interface InstallButtonProps {
  /** Called when the button leads to another page. */
  onLeave?: (() => void) | undefined;
}

export function InstallButton({ onLeave }: InstallButtonProps) {
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
  if (!isSafari()) return null;
  return (
    <div className={styles['steps']}>
      <p>{t(isIos() ? 'app.install.ios' : 'app.install.mac')}</p>
      <Suspense fallback={null}>
        <UnsentFirst onLeave={onLeave} />
      </Suspense>
    </div>
  );
}

/** The install offer with its reasons, until somebody dismisses it. */
export function InstallHint() {
  const { t } = useTranslation();
  const event = useInstallPrompt((state) => state.event);
  const [dismissed, dismiss] = useDismissed('install-hint');
  if (dismissed || isInstalled() || (!event && !isSafari())) return null;
  return (
    <Banner
      title={t('app.install.title')}
      actions={<InstallButton />}
      dismiss={{ label: t('app.dismiss'), onClick: dismiss }}
    >
      {t('app.install.text')} {isSafari() && t('app.install.sevenDays')}
    </Banner>
  );
}
