import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import type { RecordResource } from '#domain/fiscal/resources.ts';
import { callServer } from '#src/api/client.ts';
import { fiscalPaths } from '#src/server-data/fiscal.ts';
import { useServerCall } from '#src/server-data/use-server-call.ts';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';

/** What a manager decides about a record that no document confirms. */
export type Decision = 'release' | 'annul';

export function DecisionDialog({
  record: { id, number },
  decision,
  onClose,
}: {
  record: RecordResource;
  decision: Decision;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const decide = useServerCall(
    (_input: null, headers) => callServer('post', `fiscal/records/${id}/${decision}`, undefined, headers),
    {
      refreshes: fiscalPaths,
      done: () => t(`fiscal.${decision}.done`, { number }),
      failed: t(`fiscal.${decision}.open`),
    },
  );
  return (
    <Dialog
      open
      onClose={onClose}
      title={t(`fiscal.${decision}.open`)}
      actions={
        <>
          <Button onClick={onClose}>{t('form.cancel')}</Button>
          <Button
            variant={decision === 'annul' ? 'danger' : 'primary'}
            disabled={decide.isRunning}
            onClick={() => void decide.run(null).then((done) => done && onClose())}
          >
            {t(`fiscal.${decision}.confirm`)}
          </Button>
        </>
      }
    >
      <chakra.p color="fg.muted">{t(`fiscal.${decision}.text`, { number })}</chakra.p>
    </Dialog>
  );
}
