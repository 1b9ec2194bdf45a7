import { chakra, Flex } from '@chakra-ui/react';
import { UserCheck } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sessionSeen } from '#domain/protocol/seen.ts';
import type { SessionResource } from '#domain/protocol/sync.ts';
import { callServer } from '#src/api/client.ts';
import { DecisionDialog } from '#src/decisions/decision-dialog.tsx';
import { useDecision } from '#src/decisions/use-decision.ts';
import { useMoment } from '#src/formats/use-formats.ts';
import { devicePaths } from '#src/server-data/settings.ts';
import { useSession } from '#src/session/session.ts';
import { Badge } from '#src/ui/badge.tsx';
import { Button } from '#src/ui/button.tsx';
import { DataTable } from '#src/ui/data-table.tsx';
import type { Column } from '#src/ui/columns.ts';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { useDeviceWords } from './device-words.ts';

/** Who is signed in, where and since when. Only an administrator ends the session of another one. */
export function SessionTable({ sessions }: { sessions: readonly SessionResource[] | undefined }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const role = useSession(({ user }) => user?.role);
  const [ending, setEnding] = useState<SessionResource | null>(null);
  const at = (instant: string) => moment(Date.parse(instant));
  const mayEnd = ({ user, current }: SessionResource) => !current && (role === 'admin' || user.role !== 'admin');
  const place = ({ device }: SessionResource) =>
    device ? device.name || t('devices.unnamed', { code: device.code }) : '–';
  const actions = (session: SessionResource) =>
    mayEnd(session) && (
      <Button
        size="sm"
        variant="quiet"
        aria-label={t('devices.sessions.endOf', { name: session.user.name })}
        onClick={() => setEnding(session)}
      >
        {t('devices.sessions.end')}
      </Button>
    );
  const person = ({ user, current }: SessionResource) => (
    <Flex gap="2" align="center" wrap="wrap">
      <chakra.span fontWeight="medium">{user.name}</chakra.span>
      <chakra.span fontSize="sm" color="fg.muted">
        {t(`roles.${user.role}.name`)}
      </chakra.span>
      {current && <Badge tone="accent">{t('devices.sessions.this')}</Badge>}
    </Flex>
  );
  const columns: Column<SessionResource>[] = [
    { key: 'person', header: t('devices.sessions.person'), cell: person },
    { key: 'device', header: t('devices.sessions.device'), cell: place },
    { key: 'since', header: t('devices.sessions.since'), cell: ({ created_at }) => at(created_at) },
    { key: 'seen', header: t('devices.columns.seen'), cell: ({ last_seen_at }) => at(last_seen_at) },
    { key: 'actions', header: t('devices.columns.actions'), actions: true, cell: actions },
  ];
  return (
    <>
      <DataTable
        label={t('devices.sessions.title')}
        rows={sessions}
        rowKey={({ id }) => id}
        columns={columns}
        card={(session) => (
          <Flex justify="space-between" align="center" gap="3">
            <chakra.div minWidth="0">
              {person(session)}
              <chakra.p fontSize="sm" color="fg.muted">
                {[place(session), at(session.last_seen_at)].join(' · ')}
              </chakra.p>
            </chakra.div>
            {actions(session)}
          </Flex>
        )}
        firstRows={{ desk: 20, cards: 8, showAll: t('list.showAll') }}
        empty={<EmptyState icon={<UserCheck />} title={t('devices.sessions.none')} />}
      />
      {ending && <EndDialog session={ending} onClose={() => setEnding(null)} />}
    </>
  );
}

function EndDialog({ session, onClose }: { session: SessionResource; onClose: () => void }) {
  const { t } = useTranslation();
  const end = useDecision(session, {
    fields: sessionSeen,
    words: useDeviceWords(),
    call: (body, headers, { id }) => callServer('delete', `sessions/${id}`, body, headers),
    refreshes: devicePaths,
    done: () => t('devices.sessions.ended', { name: session.user.name }),
    failed: t('devices.sessions.failed'),
  });
  return (
    <DecisionDialog
      decision={end}
      title={t('devices.sessions.endOf', { name: end.shown.user.name })}
      confirmLabel={t('devices.sessions.end')}
      danger
      onClose={onClose}
      onConfirm={() => void end.run({}).then((done) => done && onClose())}
    >
      <chakra.p color="fg.muted">{t('devices.sessions.endText')}</chakra.p>
    </DecisionDialog>
  );
}
