import { useTranslation } from 'react-i18next';
import { blankStaff, staffProblems } from '#domain/staff/decisions.ts';
import type { StaffDraft } from '#domain/staff/decisions.ts';
import { roles, userStatuses } from '#domain/staff/roles.ts';
import type { UserClaims } from '#domain/staff/roles.ts';
import { useDraftForm } from '#src/forms/draft-form.ts';
import { edited } from '#src/forms/edited-record.ts';
import { useSaveRecord } from '#src/forms/use-save-record.ts';
import { useSession } from '#src/session/session.ts';
import { staffPaths } from '#src/server-data/staff.ts';
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

/** An empty password keeps the present one. */
const bodyOf = ({ password, ...draft }: StaffDraft) => ({
  ...draft,
  ...(password !== '' && { password }),
});

export function StaffForm({ user, onClose }: { user: UserClaims | 'new'; onClose: () => void }) {
  const { t } = useTranslation();
  const mayEdit = useMayEditUser();
  const isNew = user === 'new';
  const isOwn = useSession(({ user: self }) => !isNew && user.id === self?.id);
  const form = useDraftForm<StaffDraft>({
    name: `staff:${isNew ? 'new' : user.id}`,
    initial: blankStaff,
    record: edited<UserClaims, StaffDraft>(user, {
      draftOf,
      bodyOf,
      views: {
        name: { label: t('staff.columns.name') },
        email: { label: t('staff.columns.email') },
        phone: { label: t('staff.form.phone') },
        role: {
          label: t('staff.columns.role'),
          text: (role: StaffDraft['role']) => t(`roles.${role}.name`),
        },
        status: {
          label: t('staff.columns.status'),
          text: (status: StaffDraft['status']) => t(`staff.status.${status}`),
        },
      },
    }),
    problemsOf: (draft) => staffProblems(draft, { isNew }),
    secrets,
  });
  const { register, errorOf } = form;
  const saving = useSaveRecord({
    form,
    path: isNew ? 'users' : `users/${user.id}`,
    bodyOf,
    refreshes: staffPaths,
    done: ({ name }) => t(isNew ? 'staff.created' : 'staff.updated', { name }),
    failed: t(isNew ? 'staff.createFailed' : 'staff.updateFailed'),
  });
  return (
    <FullScreenForm
      maxWidth="40rem"
      gap="5"
      pt="6"
      form={form}
      title={t(isNew ? 'staff.form.createTitle' : 'staff.form.editTitle')}
      isNew={isNew}
      submitLabel={t(isNew ? 'staff.form.create' : 'staff.form.update')}
      save={saving.save}
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
