import { chakra } from '@chakra-ui/react';
import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { SignOutDialog } from './sign-out-dialog.tsx';

/** Sign-out button of the header; on a phone only its icon fits. */
export function SignOutButton() {
  const { t } = useTranslation();
  const [leaving, setLeaving] = useState(false);
  return (
    <>
      <Button variant="quiet" px="3" aria-label={t('shell.logout')} onClick={() => setLeaving(true)}>
        <LogOut />
        <chakra.span hideBelow="lg">{t('shell.logout')}</chakra.span>
      </Button>
      <SignOutDialog open={leaving} onClose={() => setLeaving(false)} />
    </>
  );
}
