import { chakra, Flex } from '@chakra-ui/react';
import { Ban, Lock, Pencil, TabletSmartphone } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceResource, SessionResource } from '#domain/protocol/sync.ts';
import { PageFrame } from '#src/back-office/page-frame.tsx';
import { useClinicFormats, useMoment } from '#src/formats/use-formats.ts';
import { db } from '#src/local-data/database.ts';
import { useLiveQuery } from '#src/local-data/live.ts';
import { LoadError, NotLoaded } from '#src/server-data/load-error.tsx';
import { devicePaths, useDevices, useSessions } from '#src/server-data/settings.ts';
import { useOldestResponse, useRefresh } from '#src/server-data/use-server-data.ts';
import { useMay } from '#src/session/session.ts';
import { Badge } from '#src/ui/badge.tsx';
import { DataTable } from '#src/ui/data-table.tsx';
import type { Column } from '#src/ui/columns.ts';
import { EmptyState } from '#src/ui/empty-state.tsx';
import type { MenuItem } from '#src/ui/menu.tsx';
import { LockDialog, RenameDialog, RevokeDialog } from './device-dialogs.tsx';
import { SessionTable } from './session-table.tsx';

/** The tablets and browsers of the clinic, and who is signed in on them: a manager finds a lost one and closes it. */
export function DevicesScreen() {
  const { t } = useTranslation();
  const refresh = useRefresh(...devicePaths);
  const oldSince = useOldestResponse();
  const devices = useDevices();
  const sessions = useSessions();
  // The people of a device come from the sessions, and the sessions stand below a table of any height.
  const isReady = Boolean((devices.value ?? devices.fault) && (sessions.value ?? sessions.fault));
  return (
    <PageFrame
      title={t('devices.title')}
      text={t('devices.text')}
      onRefresh={refresh.run}
      isRefreshing={refresh.isRunning}
      oldSince={oldSince}
    >
      {devices.fault ? (
        <NotLoaded data={devices} />
      ) : (
        <DeviceTable devices={isReady ? devices.value?.data : undefined} sessions={sessions.value?.data ?? []} />
      )}
      {isReady && !devices.fault && (
        <chakra.div mt="4" display="flex" flexDirection="column" gap="3">
          <chakra.h2 fontWeight="semibold">{t('devices.sessions.title')}</chakra.h2>
          {sessions.fault ? <LoadError data={sessions} /> : <SessionTable sessions={sessions.value?.data} />}
        </chakra.div>
      )}
    </PageFrame>
  );
}

type Asked = { what: 'rename' | 'lock' | 'revoke'; device: DeviceResource };

interface DeviceTableProps {
  devices: readonly DeviceResource[] | undefined;
  sessions: readonly SessionResource[];
}

function DeviceTable({ devices, sessions }: DeviceTableProps) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const moment = useMoment();
  const own = useLiveQuery(() => db.device.get('this'), []);
  const mayRename = useMay('settings.write');
  const [asked, setAsked] = useState<Asked | null>(null);
  const nameOf = ({ name, code }: DeviceResource) => name || t('devices.unnamed', { code });
  const at = (instant: string | null) => (instant === null ? '–' : moment(Date.parse(instant)));
  const peopleOn = ({ id }: DeviceResource) =>
    [...new Set(sessions.filter(({ device }) => device?.id === id).map(({ user }) => user.name))].join(', ');
  const state = ({ revoked, lock_asked_at, waiting }: DeviceResource) => (
    <Flex gap="2" wrap="wrap">
      {revoked && <Badge tone="refused">{t('devices.revoked', { date: formats.date(revoked.at) })}</Badge>}
      {!revoked && lock_asked_at && <Badge tone="low">{t('devices.lockAsked', { time: at(lock_asked_at) })}</Badge>}
      {!revoked && waiting > 0 && <Badge tone="due">{t('devices.waiting', { count: waiting })}</Badge>}
    </Flex>
  );
  const name = (device: DeviceResource) => (
    <Flex gap="2" align="center" wrap="wrap" minWidth="0">
      <chakra.span fontWeight="medium" overflowWrap="anywhere">
        {nameOf(device)}
      </chakra.span>
      {device.name && <chakra.span color="fg.muted">{device.code}</chakra.span>}
      {device.id === own?.device_id && <Badge tone="accent">{t('settings.device.this')}</Badge>}
      {state(device)}
    </Flex>
  );
  const actions = (device: DeviceResource): MenuItem[] => {
    if (device.revoked) return [];
    const item = (what: Asked['what'], icon: ReactNode) => ({
      key: what,
      label: t(`devices.${what}.open`),
      icon,
      onSelect: () => setAsked({ what, device }),
    });
    return [
      ...(mayRename ? [item('rename', <Pencil />)] : []),
      item('lock', <Lock />),
      ...(device.id === own?.device_id ? [] : [{ ...item('revoke', <Ban />), isDangerous: true }]),
    ];
  };
  const columns: Column<DeviceResource>[] = [
    { key: 'name', header: t('devices.columns.name'), cell: name },
    { key: 'browser', header: t('devices.columns.browser'), from: 52, cell: ({ browser }) => browser || '–' },
    {
      key: 'people',
      header: t('devices.columns.people'),
      cell: (device) => <People>{peopleOn(device) || '–'}</People>,
    },
    { key: 'seen', header: t('devices.columns.seen'), cell: ({ last_seen_at }) => <When>{at(last_seen_at)}</When> },
    { key: 'sale', header: t('devices.columns.sale'), cell: ({ last_sale_at }) => <When>{at(last_sale_at)}</When> },
  ];
  const card = (device: DeviceResource) => (
    <Flex direction="column" gap="2">
      {name(device)}
      <chakra.dl display="grid" gridTemplateColumns="auto minmax(0, 1fr)" columnGap="4" rowGap="1" fontSize="sm">
        {[
          [t('devices.columns.browser'), device.browser || '–'],
          [t('devices.columns.people'), peopleOn(device) || '–'],
          [t('devices.columns.seen'), at(device.last_seen_at)],
          [t('devices.columns.sale'), at(device.last_sale_at)],
        ].map(([label, value]) => (
          <chakra.div key={label} display="contents">
            <chakra.dt color="fg.muted">{label}</chakra.dt>
            <chakra.dd overflowWrap="anywhere">{value}</chakra.dd>
          </chakra.div>
        ))}
      </chakra.dl>
    </Flex>
  );
  const close = () => setAsked(null);
  return (
    <>
      <DataTable
        label={t('devices.title')}
        rows={devices}
        rowKey={({ id }) => id}
        columns={columns}
        card={card}
        actions={actions}
        rowWords={{
          actions: (device) => t('list.actionsOf', { name: nameOf(device) }),
          menu: t('list.actions'),
        }}
        firstRows={{ desk: 20, cards: 8, showAll: t('list.showAll') }}
        isDimmed={({ revoked }) => revoked !== null}
        empty={<EmptyState icon={<TabletSmartphone />} title={t('settings.device.none')} />}
      />
      {asked?.what === 'rename' && <RenameDialog device={asked.device} onClose={close} />}
      {asked?.what === 'revoke' && <RevokeDialog device={asked.device} name={nameOf(asked.device)} onClose={close} />}
      {asked?.what === 'lock' && <LockDialog device={asked.device} name={nameOf(asked.device)} onClose={close} />}
    </>
  );
}

const People = chakra('p', { base: { minWidth: '6rem' } });
const When = chakra('span', { base: { whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' } });
