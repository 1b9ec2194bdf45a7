import { LogOut } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#src/ui/button.tsx';
import { loadLater } from '#src/ui/load-later.tsx';
import { useEver } from '#src/ui/use-ever.ts';
import styles from './sign-out-button.module.css';

const LoadedDialog = loadLater(async () => (await import('./sign-out-dialog.tsx')).SignOutDialog);

/** Sign-out button of the header; on a phone only its icon fits. */
export function SignOutButton() {
  const { t } = useTranslation();
  const [leaving, setLeaving] = useState(false);
  return (
    <>
      <Button
        variant="quiet"
        className={styles['button']}
        aria-label={t('shell.logout')}
        onClick={() => setLeaving(true)}
      >
        <LogOut />
        <span className={styles['word']}>{t('shell.logout')}</span>
      </Button>
      <SignOutDialog open={leaving} onClose={() => setLeaving(false)} />
    </>
  );
}

/** Signs out, after a question where something would be left behind. */
export function SignOutDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return <Suspense fallback={null}>{useEver(open) && <LoadedDialog open={open} onClose={onClose} />}</Suspense>;
}
