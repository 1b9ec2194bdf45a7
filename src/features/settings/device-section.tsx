import { chakra, Flex } from '@chakra-ui/react';
import { useLiveQuery } from '#src/local-data/live.ts';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { pathOf } from '#src/navigation/path-of.ts';
import type { DeviceResource } from '#domain/protocol/sync.ts';
import { askHolder } from '#src/db/engine-messages.ts';
import type { EngineStatus } from '#src/db/engine-messages.ts';
import { db } from '#src/local-data/database.ts';
import { useStandstill } from '#src/sync/standstill.ts';
import { changeOf, changeRecord } from '#src/api/change-record.ts';
import { devicePaths, useDevices } from '#src/server-data/settings.ts';
import { useServerCall } from '#src/server-data/use-server-call.ts';
import { FormSection, WholeRow } from '#src/forms/form-section.tsx';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { Badge } from '#src/ui/badge.tsx';
import { Button, buttonClass } from '#src/ui/button.tsx';
import { TextField } from '#src/ui/text-field.tsx';

/** Name and storage of this device, with a link to the others. */
export function DeviceSection() {
  const { t } = useTranslation();
  const own = useLiveQuery(() => db.device.get('this'), []);
  const devices = useDevices();
  const here = devices.value?.data.find(({ id }) => id === own?.device_id);
  return (
    <FormSection anchor="device" title={t('settings.device.title')} text={t('settings.device.text')}>
      <WholeRow>
        {here && <DeviceName key={here.name} device={here} />}
        <StorageStatus />
        <EngineState />
      </WholeRow>
      <WholeRow>
        <Link to={pathOf('admin', 'devices')} className={buttonClass({})}>
          {t('settings.device.all')}
        </Link>
      </WholeRow>
    </FormSection>
  );
}

function DeviceName({ device }: { device: DeviceResource }) {
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
  return (
    <Flex gap="3" align="flex-end" mb="5">
      <TextField
        label={t('settings.device.nameOf', { code: device.code })}
        placeholder={t('settings.device.example')}
        maxLength={60}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Button disabled={rename.isRunning || name.trim() === device.name} onClick={() => void rename.run({ name })}>
        {t('form.save')}
      </Button>
    </Flex>
  );
}

interface StorageState {
  persisted: boolean;
  /** Null where the browser does not tell. */
  room: { usedMb: number; quotaMb: number } | null;
}

/** Storage used on this device, and a warning when the browser may evict the data. The sign-in asks it not to. */
function StorageStatus() {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const [storage, setStorage] = useState<StorageState | null>(null);
  useEffect(() => void readStorage().then(setStorage), []);
  if (!storage) return null;
  return (
    <Flex align="center" gap="3" wrap="wrap">
      <Badge tone={storage.persisted ? 'paid' : 'due'}>
        {t(storage.persisted ? 'settings.storage.kept' : 'settings.storage.notKept')}
      </Badge>
      {storage.room && (
        <chakra.span fontSize="sm" color="fg.muted">
          {t('settings.storage.room', {
            used: formats.quantity(storage.room.usedMb),
            quota: formats.quantity(storage.room.quotaMb),
          })}
        </chakra.span>
      )}
      {!storage.persisted && (
        <chakra.p fontSize="sm" color="fg.muted" width="full">
          {t('settings.storage.notKeptText')}
        </chakra.p>
      )}
    </Flex>
  );
}

const askEveryMs = 5000;

/** Tells what synchronisation is doing on this device and since when, and when it last stood still. */
function EngineState() {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const [holder, setHolder] = useState<EngineStatus | null>(null);
  const last = useStandstill((state) => state.last);
  useEffect(() => {
    const ask = () => void askHolder().then(setHolder);
    ask();
    const timer = setInterval(ask, askEveryMs);
    return () => clearInterval(timer);
  }, []);
  const call = holder?.steps[0]?.name;
  return (
    <chakra.p fontSize="sm" color="fg.muted" mt="2">
      {holder
        ? t('settings.engine.working', { since: formats.dateTime(holder.heldSinceMs), call: call ?? '–' })
        : t('settings.engine.idle')}
      {last && ` · ${t('settings.engine.stood', { when: formats.dateTime(last.atMs), call: last.call ?? 'lock' })}`}
    </chakra.p>
  );
}

async function readStorage(): Promise<StorageState | null> {
  const { storage } = navigator;
  // Missing on an insecure origin.
  if (!storage?.persisted) return null;
  const [persisted, estimate] = await Promise.all([storage.persisted(), storage.estimate?.()]);
  if (!estimate) return { persisted, room: null };
  const { usage = 0, quota = 0 } = estimate;
  return { persisted, room: { usedMb: Math.round(usage / 100_000) / 10, quotaMb: Math.round(quota / 1_000_000) } };
}
