import { chakra, Flex } from '@chakra-ui/react';
import { UserPlus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { blankStaff, staffProblems } from '#domain/staff/decisions.ts';
import type { StaffDraft } from '#domain/staff/decisions.ts';
import { roles } from '#domain/staff/roles.ts';
import { useDraftForm } from '#src/forms/draft-form.ts';
import { staffPaths, useFirstStaff } from '#src/server-data/staff.ts';
import { FormNotes } from '#src/forms/form-notes.tsx';
import { useSaveRecord } from '#src/forms/use-save-record.ts';
import { Badge } from '#src/ui/badge.tsx';
import { Button } from '#src/ui/button.tsx';
import { SelectField } from '#src/ui/select-field.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { Fields, StepFrame } from './step-frame.tsx';
import type { StepProps } from './step-frame.tsx';

const secrets = ['password'] as const;

/** Adds the people who will use the tablets, one after the other. */
export function StaffStep(step: StepProps) {
  const { t } = useTranslation();
  const staff = useFirstStaff(50);
  const form = useDraftForm<StaffDraft>({
    name: 'welcome:staff',
    initial: blankStaff,
    problemsOf: (draft) => staffProblems(draft, { isNew: true }),
    secrets,
  });
  const adding = useSaveRecord({
    form,
    path: 'users',
    refreshes: staffPaths,
    done: ({ name }) => t('staff.created', { name }),
    failed: t('staff.createFailed'),
  });
  const add = form.handleSubmit(async (draft) => {
    if (!(await adding.save(draft))) return;
    await form.forget();
    form.reset(blankStaff);
  });
  const { register, errorOf } = form;
  // Read on render, which is how the form learns that it must keep it up to date.
  const { isDirty } = form.formState;
  return (
    <StepFrame
      title={t('welcome.staff.title')}
      text={t('welcome.staff.text')}
      submit={t('welcome.next')}
      isBusy={adding.isRunning}
      onSubmit={() => {
        // What is typed is a person who is meant to be added.
        if (isDirty) void add();
        else step.onDone();
      }}
      {...step}
    >
      <FormNotes form={form} />
      <Fields>
        <TextField label={t('staff.columns.name')} autoComplete="off" error={errorOf('name')} {...register('name')} />
        <TextField
          label={t('staff.columns.email')}
          type="email"
          autoComplete="off"
          error={errorOf('email')}
          {...register('email')}
        />
        <TextField
          label={t('staff.form.password')}
          type="password"
          autoComplete="new-password"
          error={errorOf('password')}
          {...register('password')}
        />
        <SelectField
          label={t('staff.columns.role')}
          options={roles.map((role) => ({ value: role, label: t(`roles.${role}.name`) }))}
          {...register('role')}
        />
      </Fields>
      <Flex>
        <Button disabled={adding.isRunning} onClick={() => void add()}>
          <UserPlus />
          {t('welcome.staff.add')}
        </Button>
      </Flex>
      <chakra.ul minHeight="12" aria-label={t('welcome.staff.people')}>
        {staff.value?.data.map(({ id, name, email, role }) => (
          <Flex as="li" key={id} align="center" gap="3" py="2" borderTopWidth="1px" borderColor="border">
            <chakra.span fontWeight="medium" truncate>
              {name}
            </chakra.span>
            <chakra.span flex="1" fontSize="sm" color="fg.muted" truncate>
              {email}
            </chakra.span>
            <Badge>{t(`roles.${role}.name`)}</Badge>
          </Flex>
        ))}
      </chakra.ul>
    </StepFrame>
  );
}
