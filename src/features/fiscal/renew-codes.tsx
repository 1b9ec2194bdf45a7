import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callServer } from '#src/api/client.ts';
import { fiscalPaths } from '#src/server-data/fiscal.ts';
import { devicePaths } from '#src/server-data/settings.ts';
import { useServerCall } from '#src/server-data/use-server-call.ts';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';

/** Gives all devices codes with other letters, where another installation of the taxpayer numbers under the same. */
export function RenewCodes() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const renew = useServerCall((_input: null, headers) => callServer('post', 'devices/prefix', undefined, headers), {
    refreshes: [...fiscalPaths, ...devicePaths],
    done: () => t('fiscal.renew.done'),
    failed: t('fiscal.renew.failed'),
  });
  const close = () => setOpen(false);
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)}>
        <KeyRound />
        {t('fiscal.renew.open')}
      </Button>
      <Dialog
        open={isOpen}
        onClose={close}
        title={t('fiscal.renew.open')}
        actions={
          <>
            <Button onClick={close}>{t('form.cancel')}</Button>
            <Button
              variant="primary"
              disabled={renew.isRunning}
              onClick={() => void renew.run(null).then((done) => done && close())}
            >
              {t('fiscal.renew.confirm')}
            </Button>
          </>
        }
      >
        <p>{t('fiscal.renew.text')}</p>
      </Dialog>
    </>
  );
}
