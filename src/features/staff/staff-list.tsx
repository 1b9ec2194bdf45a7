import { chakra, Flex } from '@chakra-ui/react';
import { LayoutGrid, Rows3, Users } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { UserClaims } from '../../../domain/staff/roles.ts';
import { callServer } from '../../api/client.ts';
import { PageToolbar } from '../../back-office/page-frame.tsx';
import { staffPaths, useStaff } from '../../server-data/staff.ts';
import { useServerCall } from '../../server-data/use-server-call.ts';
import { Pagination } from '../../lists/pagination.tsx';
import { SearchField } from '../../lists/search-field.tsx';
import { useClinicFormats } from '../../formats/use-formats.ts';
import { useList } from '../../lists/use-list.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { RoleBadge, UserCard, UserName } from './user-views.tsx';
import { useMayEditUser } from './use-may-edit-user.ts';

/** Width in rem from which the email has a column of its own. */
const emailFrom = 52;

interface StaffListProps {
  onEdit: (user: UserClaims) => void;
  onAdd: () => void;
}

export function StaffList({ onEdit, onAdd }: StaffListProps) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const mayEdit = useMayEditUser();
  const [view, setView] = useState<'table' | 'cards'>('table');
  const [deleting, setDeleting] = useState<UserClaims | null>(null);
  const list = useList({ filters: {}, sort: { by: 'name', order: 'asc' } });
  const users = useStaff(list);
  const remove = useServerCall(
    (user: UserClaims, headers) => callServer('delete', `users/${user.id}`, undefined, headers),
    {
      refreshes: staffPaths,
      done: ({ name }) => t('staff.removed', { name }),
      failed: t('staff.removeFailed'),
    },
  );
  const actions = (user: UserClaims) =>
    mayEdit(user) && (
      <>
        <Button size="sm" variant="quiet" onClick={() => onEdit(user)}>
          {t('staff.edit')}
        </Button>
        <Button size="sm" variant="dangerQuiet" onClick={() => setDeleting(user)}>
          {t('staff.delete')}
        </Button>
      </>
    );
  const columns: Column<UserClaims>[] = [
    {
      key: 'name',
      header: t('staff.columns.name'),
      sortable: true,
      cell: (user) => <UserName user={user} emailUntil={emailFrom} />,
    },
    { key: 'email', header: t('staff.columns.email'), sortable: true, from: emailFrom, cell: ({ email }) => email },
    { key: 'role', header: t('staff.columns.role'), sortable: true, cell: ({ role }) => <RoleBadge role={role} /> },
    {
      key: 'status',
      header: t('staff.columns.status'),
      cell: ({ status }) => (
        <Badge tone={status === 'active' ? 'paid' : 'neutral'}>{t(`staff.status.${status}`)}</Badge>
      ),
    },
    {
      key: 'created_at',
      header: t('staff.columns.joined'),
      sortable: true,
      cell: ({ created_at }) => <chakra.span whiteSpace="nowrap">{formats.date(created_at)}</chakra.span>,
    },
    { key: 'actions', header: t('staff.columns.actions'), actions: true, cell: actions },
  ];
  const card = (user: UserClaims) => <UserCard user={user} actions={actions(user)} />;
  const isSearched = list.settledSearch !== '';
  return (
    <Flex direction="column" gap="4">
      <PageToolbar>
        <Flex gap="3" align="center" wrap="wrap">
          <chakra.div flex="1" minWidth="56" maxWidth="96">
            <SearchField
              label={t('staff.search')}
              value={list.search}
              onChange={list.setSearch}
              isPending={list.isSearchPending}
            />
          </chakra.div>
          <chakra.div hideBelow="md" ms="auto">
            <Segmented
              kind="choice"
              label={t('staff.view.label')}
              value={view}
              onChange={setView}
              segments={[
                { value: 'table', label: t('staff.view.table'), icon: <Rows3 /> },
                { value: 'cards', label: t('staff.view.cards'), icon: <LayoutGrid /> },
              ]}
            />
          </chakra.div>
        </Flex>
      </PageToolbar>
      <DataTable
        label={t('staff.title')}
        columns={columns}
        rows={users.value?.data}
        rowKey={({ id }) => id}
        card={card}
        asCards={view === 'cards'}
        sort={list.sort}
        onSort={list.setSort}
        isDimmed={({ status }) => status === 'inactive'}
        empty={
          isSearched ? (
            <EmptyState icon={<Users />} title={t('staff.noMatch.title')} text={t('staff.noMatch.text')} />
          ) : (
            <EmptyState icon={<Users />} title={t('staff.empty.title')} text={t('staff.empty.text')}>
              <Button onClick={onAdd}>{t('staff.add')}</Button>
            </EmptyState>
          )
        }
      />
      {users.value && (
        <Pagination
          page={list.page}
          size={list.size}
          total={users.value.pagination.total}
          onPage={list.setPage}
          onSize={list.setSize}
        />
      )}
      <ConfirmDialog
        open={deleting !== null}
        title={t('staff.confirmDelete.title')}
        text={t('staff.confirmDelete.text', { name: deleting?.name, email: deleting?.email })}
        confirmLabel={t('staff.delete')}
        cancelLabel={t('form.cancel')}
        danger
        onConfirm={() => {
          if (deleting) void remove.run(deleting);
          setDeleting(null);
        }}
        onCancel={() => setDeleting(null)}
      />
    </Flex>
  );
}
