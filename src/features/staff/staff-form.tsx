import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { blankStaff, staffProblems } from '#domain/staff/decisions.ts';
import type { StaffDraft } from '#domain/staff/decisions.ts';
import { roles, userStatuses } from '#domain/staff/roles.ts';
import type { UserClaims } from '#domain/staff/roles.ts';
import { useDraftForm } from '#src/forms/draft-form.ts';
import { callServer } from '#src/api/client.ts';
import { useSession } from '#src/session/session.ts';
import { staffPaths } from '#src/server-data/staff.ts';
import { useServerCall } from '#src/server-data/use-server-call.ts';
import { FullScreenForm } from '#src/forms/form-frames.tsx';
import { SelectField } from '#src/ui/select-field.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { useMayEditUser } from './use-may-edit-user.ts';

const secrets = ['password'] as const;

const draftOf = ({ name, email, phone, role, status }: UserClaims): StaffDraft => ({
  name,
  email,
  phone: phone ?? '',
  password: '',
  role,
  status,
});

export function StaffForm({ user, onClose }: { user: UserClaims | 'new'; onClose: () => void }) {
  const { t } = useTranslation();
  const mayEdit = useMayEditUser();
  const isNew = user === 'new';
  const isOwn = useSession(({ user: self }) => !isNew && user.id === self?.id);
  const [initial] = useState(() => (isNew ? blankStaff : draftOf(user)));
  const form = useDraftForm<StaffDraft>({
    name: `staff:${isNew ? 'new' : user.id}`,
    initial,
    problemsOf: (draft) => staffProblems(draft, { isNew }),
    secrets,
  });
  const { register, errorOf } = form;
  const saving = useServerCall(
    ({ password, ...draft }: StaffDraft, headers) => {
      const body = { ...draft, ...(password !== '' && { password }) };
      return isNew ? callServer('post', 'users', body, headers) : callServer('put', `users/${user.id}`, body, headers);
    },
    {
      refreshes: staffPaths,
      done: ({ name }) => t(isNew ? 'staff.created' : 'staff.updated', { name }),
      failed: t(isNew ? 'staff.createFailed' : 'staff.updateFailed'),
      onRefused: form.takeRefusal,
    },
  );
  return (
    <FullScreenForm
      maxWidth="40rem"
      gap="5"
      pt="6"
      form={form}
      title={t(isNew ? 'staff.form.createTitle' : 'staff.form.editTitle')}
      isNew={isNew}
      submitLabel={t(isNew ? 'staff.form.create' : 'staff.form.update')}
      save={saving.run}
      onClose={onClose}
    >
      <TextField label={t('staff.columns.name')} autoComplete="off" error={errorOf('name')} {...register('name')} />
      <TextField
        label={t('staff.columns.email')}
        type="email"
        autoComplete="off"
        error={errorOf('email')}
        {...register('email')}
      />
      <TextField
        label={t('staff.form.phone')}
        type="tel"
        autoComplete="off"
        error={errorOf('phone')}
        {...register('phone')}
      />
      {!isOwn && (
        <TextField
          label={t('staff.form.password')}
          type="password"
          autoComplete="new-password"
          hint={isNew ? undefined : t('staff.form.passwordHint')}
          error={errorOf('password')}
          {...register('password')}
        />
      )}
      <SelectField
        label={t('staff.columns.role')}
        options={roles
          .filter((role) => mayEdit({ role }))
          .map((role) => ({ value: role, label: t(`roles.${role}.name`) }))}
        error={errorOf('role')}
        {...register('role')}
      />
      <SelectField
        label={t('staff.columns.status')}
        hint={t('staff.form.statusHint')}
        options={userStatuses.map((status) => ({ value: status, label: t(`staff.status.${status}`) }))}
        error={errorOf('status')}
        {...register('status')}
      />
    </FullScreenForm>
  );
}
