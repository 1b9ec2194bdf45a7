import { chakra } from '@chakra-ui/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '#src/ui/banner.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { Segmented } from '#src/ui/segmented.tsx';
import { RescueImport } from './rescue-import.tsx';
import { RescueExport } from './rescue-export.tsx';

const modes = ['save', 'import'] as const;

/** Saves unsent operations to a file, or sends such a file, when a device or its network has failed. */
export function RescueDialog({ initialMode, onClose }: { initialMode: (typeof modes)[number]; onClose: () => void }) {
  const { t } = useTranslation();
  const [mode, setMode] = useState(initialMode);
  return (
    <Dialog open onClose={onClose} title={t('outbox.rescue.title')} width="34rem">
      <chakra.p color="fg.muted">{t('outbox.rescue.text')}</chakra.p>
      {globalThis.crypto?.subtle ? (
        <>
          <Segmented
            label={t('outbox.rescue.modes')}
            panelId="rescue-mode"
            value={mode}
            onChange={setMode}
            segments={modes.map((value) => ({ value, label: t(`outbox.rescue.${value}`) }))}
          />
          <div id="rescue-mode" role="tabpanel" aria-label={t(`outbox.rescue.${mode}`)}>
            {mode === 'save' ? <RescueExport onClose={onClose} /> : <RescueImport onClose={onClose} />}
          </div>
        </>
      ) : (
        <Banner tone="due">{t('outbox.rescue.insecure')}</Banner>
      )}
    </Dialog>
  );
}
