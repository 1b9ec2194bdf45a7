import { chakra } from '@chakra-ui/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deviceSeen } from '#domain/protocol/seen.ts';
import type { DeviceResource } from '#domain/protocol/sync.ts';
import { isReasonTooShort } from '#domain/reason.ts';
import { changeOf, changeRecord } from '#src/api/change-record.ts';
import { callServer } from '#src/api/client.ts';
import { DecisionDialog } from '#src/decisions/decision-dialog.tsx';
import { useDecision } from '#src/decisions/use-decision.ts';
import { devicePaths } from '#src/server-data/settings.ts';
import { useServerCall } from '#src/server-data/use-server-call.ts';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { useDeviceWords } from './device-words.ts';

export function RenameDialog({ device, onClose }: { device: DeviceResource; onClose: () => void }) {
  const { t } = useTranslation();
  const [name, setName] = useState(device.name);
  const rename = useServerCall(
    (changes: { name: string }, headers) => changeRecord(`devices/${device.id}`, changeOf(device, changes), headers),
    {
      refreshes: devicePaths,
      done: () => t('settings.device.renamed'),
      failed: t('settings.device.renameFailed'),
    },
  );
  async function submit() {
    if (await rename.run({ name: name.trim() })) onClose();
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('devices.rename.title', { code: device.code })}
      onSubmit={() => void submit()}
      actions={
        <>
          <Button onClick={onClose}>{t('form.cancel')}</Button>
          <Button type="submit" variant="primary" disabled={rename.isRunning}>
            {t('form.save')}
          </Button>
        </>
      }
    >
      <TextField
        label={t('settings.device.name')}
        placeholder={t('settings.device.example')}
        maxLength={60}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
    </Dialog>
  );
}

interface DeviceDialogProps {
  device: DeviceResource;
  name: string;
  onClose: () => void;
}

/** Revokes a lost device for good. The reason stays with the device, for the person who meets its unsent work. */
export function RevokeDialog({ device, name, onClose }: DeviceDialogProps) {
  const { t } = useTranslation();
  const [reason, setReason] = useState('');
  const [submitted, setSubmitted] = useState(false);
  const revoke = useDecision<DeviceResource, { reason: string }>(device, {
    fields: deviceSeen,
    words: useDeviceWords(),
    call: (body, headers, { id }) => callServer('post', `devices/${id}/revoke`, body, headers),
    refreshes: devicePaths,
    done: () => t('devices.revoke.done', { name }),
    failed: t('devices.revoke.failed'),
  });
  const { waiting, revoked } = revoke.shown;
  const tooShort = isReasonTooShort(reason);
  async function submit() {
    setSubmitted(true);
    if (!tooShort && (await revoke.run({ reason: reason.trim() }))) onClose();
  }
  return (
    <DecisionDialog
      decision={revoke}
      title={t('devices.revoke.of', { name })}
      width="32rem"
      confirmLabel={t('devices.revoke.open')}
      danger
      isPossible={revoked === null}
      onClose={onClose}
      onConfirm={() => void submit()}
    >
      <p>{t('devices.revoke.text')}</p>
      {waiting > 0 && <p>{t('devices.revoke.waiting', { count: waiting })}</p>}
      <TextField
        label={t('devices.revoke.reason')}
        error={submitted && tooShort ? t('problems.REASON_SHORT') : undefined}
        maxLength={500}
        autoComplete="off"
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </DecisionDialog>
  );
}

/** Locks a device from afar. */
export function LockDialog({ device, name, onClose }: DeviceDialogProps) {
  const { t } = useTranslation();
  const lock = useDecision(device, {
    fields: deviceSeen,
    words: useDeviceWords(),
    call: (body, headers, { id }) => callServer('post', `devices/${id}/lock`, body, headers),
    refreshes: devicePaths,
    done: () => t('devices.lock.done', { name }),
    failed: t('devices.lock.failed'),
  });
  return (
    <DecisionDialog
      decision={lock}
      title={t('devices.lock.of', { name })}
      confirmLabel={t('devices.lock.open')}
      isPossible={lock.shown.revoked === null}
      onClose={onClose}
      onConfirm={() => void lock.run({}).then((done) => done && onClose())}
    >
      <chakra.p color="fg.muted">{t('devices.lock.text')}</chakra.p>
    </DecisionDialog>
  );
}
