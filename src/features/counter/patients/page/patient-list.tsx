import { chakra, Flex } from '@chakra-ui/react';
import { UserRoundPlus, UsersRound } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FullPatientResource, PatientDetails, PatientResource } from '#domain/patient/resources.ts';
import { PageFrame } from '#src/back-office/page-frame.tsx';
import { findPatients, knownPatient, recentPatients } from '#src/db/queries/patients.ts';
import { useReopened } from '#src/forms/use-reopened.ts';
import { ListScreen } from '#src/lists/list-screen.tsx';
import { useList } from '#src/lists/use-list.ts';
import { db } from '#src/local-data/database.ts';
import { useLiveQuery } from '#src/local-data/live.ts';
import { usePatients } from '#src/server-data/patients.ts';
import { useOldestResponse } from '#src/server-data/use-server-data.ts';
import { useMay, useSession } from '#src/session/session.ts';
import { Banner } from '#src/ui/banner.tsx';
import { Button } from '#src/ui/button.tsx';
import { Parts } from '#src/ui/parts.tsx';
import type { Column } from '#src/ui/columns.ts';
import { PatientEditor, editorDraft } from './patient-editor.tsx';

/** Width in rem of the place from which address and number have columns of their own. */
const emailFrom = 42;
const numberFrom = 54;
/** Without the server the list shows so many. */
const mostHere = 50;

type Row = PatientResource & Partial<PatientDetails>;

/** The patients of the clinic, or, while the server is away, those whom this device finds. */
export function PatientList({ onOpen }: { onOpen: (id: string) => void }) {
  const { t } = useTranslation();
  const readsDetails = useMay('patient.details');
  const mayAdd = useMay('patient.update');
  const isOnline = useSession(({ mode }) => mode === 'online');
  const [isAdding, setAdding] = useState(false);
  useReopened(editorDraft(undefined), () => setAdding(true));
  const oldSince = useOldestResponse();
  const list = useList({ name: 'patients', filters: {}, size: 20 });
  const patients = usePatients(list, { enabled: isOnline });
  const isAway = !isOnline || (patients.fault !== null && ['NETWORK', 'UNAVAILABLE'].includes(patients.fault.code));
  const here = useLiveQuery(
    () => (isAway ? patientsHere(list.settledSearch, readsDetails) : null),
    [isAway, list.settledSearch, readsDetails],
  );
  const columns: Column<Row>[] = [
    {
      key: 'name',
      header: t('patients.name'),
      cell: ({ name }) => (
        <chakra.span fontWeight="medium" overflowWrap="anywhere">
          {name}
        </chakra.span>
      ),
    },
    {
      key: 'phone',
      header: t('patients.phone'),
      cell: ({ phone }) => <chakra.span whiteSpace="nowrap">{phone}</chakra.span>,
    },
    ...(readsDetails
      ? [
          {
            key: 'email',
            header: t('patients.page.email'),
            from: emailFrom,
            cell: ({ email }: Row) => <chakra.span overflowWrap="anywhere">{email}</chakra.span>,
          },
          {
            key: 'tax_id',
            header: t('tax.recipient.tax_id'),
            from: numberFrom,
            cell: ({ recipient }: Row) => recipient?.tax_id,
          },
        ]
      : []),
  ];
  return (
    <PageFrame
      title={t('patients.page.list')}
      text={t('patients.page.listText')}
      oldSince={oldSince}
      actions={
        mayAdd && (
          <Button variant="primary" onClick={() => setAdding(true)}>
            <UserRoundPlus />
            {t('patients.new')}
          </Button>
        )
      }
    >
      <ListScreen<Row, Record<string, never>>
        label={t('patients.page.list')}
        icon={<UsersRound />}
        list={list}
        data={{ fault: isAway ? null : patients.fault, refresh: patients.refresh }}
        rows={isAway ? (here ?? undefined) : patients.value?.data}
        total={isAway ? undefined : patients.value?.pagination.total}
        rowKey={({ id }) => id}
        nameOf={({ name }) => name}
        columns={columns}
        card={({ name, phone, email }) => (
          <Flex direction="column" gap="1" minWidth="0">
            <chakra.span fontWeight="medium" overflowWrap="anywhere">
              {name}
            </chakra.span>
            <chakra.span fontSize="sm" color="fg.muted">
              {phone || email ? <Parts parts={[phone, email]} /> : t('patients.noPhone')}
            </chakra.span>
          </Flex>
        )}
        search={t(readsDetails ? 'patients.page.search' : 'patients.field')}
        above={isAway && <Banner tone="due" title={t('patients.page.listAway')} />}
        noMatch={{ title: t('patients.page.noMatch.title'), text: t('patients.page.noMatch.text') }}
        empty={{
          title: t('patients.page.empty.title'),
          text: t('patients.page.empty.text'),
        }}
        onOpen={({ id }) => onOpen(id)}
      />
      {isAdding && <PatientEditor known={null} onClose={() => setAdding(false)} onDone={onOpen} />}
    </PageFrame>
  );
}

/** Returns the patients whom this device finds: without a search those of the latest treatments. */
async function patientsHere(text: string, readsDetails: boolean): Promise<Row[]> {
  const found = text
    ? await findPatients(db, { text, limit: mostHere, inDetails: readsDetails })
    : await recentPatients(db, { limit: mostHere });
  const known = await Promise.all(found.map(({ id }) => knownPatient(db, id)));
  return known.flatMap((patient) =>
    patient ? { ...patient, ...(readsDetails ? (patient.details as FullPatientResource | undefined) : undefined) } : [],
  );
}
