import { chakra } from '@chakra-ui/react';
import { LayoutGrid, Pencil, Rows3, Users } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { seenOf } from '#domain/seen.ts';
import { staffSeen } from '#domain/staff/seen.ts';
import type { UserClaims } from '#domain/staff/roles.ts';
import { staffPaths, useStaff } from '#src/server-data/staff.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { ListScreen } from '#src/lists/list-screen.tsx';
import { useList } from '#src/lists/use-list.ts';
import { Badge } from '#src/ui/badge.tsx';
import { Button } from '#src/ui/button.tsx';
import type { Column } from '#src/ui/columns.ts';
import { Segmented } from '#src/ui/segmented.tsx';
import { StaffForm } from './staff-form.tsx';
import { useStaffWords } from './staff-words.ts';
import { RoleBadge, UserCard, UserName } from './user-views.tsx';
import { useMayEditUser } from './use-may-edit-user.ts';

/** Width in rem from which the email has a column of its own. */
const emailFrom = 52;

interface StaffListProps {
  onAdd: () => void;
}

export function StaffList({ onAdd }: StaffListProps) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const mayEdit = useMayEditUser();
  const words = useStaffWords();
  const [view, setView] = useState<'table' | 'cards'>('table');
  const list = useList({
    name: 'staff',
    filters: {},
    sorts: ['name', 'email', 'role', 'created_at'],
    sort: { by: 'name', order: 'asc' },
  });
  const users = useStaff(list);
  const [editing, setEditing] = useState<UserClaims | null>(null);
  // As the list has the person now: the form tells what others change.
  const edited = editing && (users.value?.data.find(({ id }) => id === editing.id) ?? editing);
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
  ];
  return (
    <>
      <ListScreen
        label={t('staff.title')}
        icon={<Users />}
        list={list}
        data={users}
        rows={users.value?.data}
        total={users.value?.pagination.total}
        rowKey={({ id }) => id}
        nameOf={({ name }) => name}
        columns={columns}
        card={(user) => <UserCard user={user} />}
        asCards={view === 'cards'}
        isDimmed={({ status }) => status === 'inactive'}
        search={t('staff.search')}
        tools={
          <chakra.div hideBelow="lg">
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
        }
        noMatch={{ title: t('staff.noMatch.title'), text: t('staff.noMatch.text') }}
        empty={{
          title: t('staff.empty.title'),
          text: t('staff.empty.text'),
          action: <Button onClick={onAdd}>{t('staff.add')}</Button>,
        }}
        onOpen={(user) => mayEdit(user) && setEditing(user)}
        actions={(user) =>
          mayEdit(user)
            ? [
                {
                  key: 'edit',
                  label: t('list.edit'),
                  icon: <Pencil />,
                  onSelect: () => setEditing(user),
                },
              ]
            : []
        }
        refreshes={staffPaths}
        deletion={{
          path: ({ id }) => `users/${id}`,
          may: mayEdit,
          seen: (user) => seenOf(user, staffSeen),
          words,
          title: t('staff.confirmDelete.title'),
          text: ({ name, email }) => t('staff.confirmDelete.text', { name, email }),
          done: ({ name }) => t('staff.removed', { name }),
          failed: t('staff.removeFailed'),
        }}
      />
      {edited && <StaffForm user={edited} onClose={() => setEditing(null)} />}
    </>
  );
}
