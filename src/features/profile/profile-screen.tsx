import { chakra, Flex } from '@chakra-ui/react';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { passwordProblem, staffProblems } from '#domain/staff/decisions.ts';
import type { UserClaims } from '#domain/staff/roles.ts';
import { ColourModeChoice, LanguageChoice } from '#src/preferences/choices.tsx';
import { useDraftForm } from '#src/forms/draft-form.ts';
import { edited } from '#src/forms/edited-record.ts';
import { FormNotes } from '#src/forms/form-notes.tsx';
import { useSaveRecord } from '#src/forms/use-save-record.ts';
import { callServer } from '#src/api/client.ts';
import { staffPaths } from '#src/server-data/staff.ts';
import { useServerCall } from '#src/server-data/use-server-call.ts';
import { FormSection, WholeRow } from '#src/forms/form-section.tsx';
import { PageFrame } from '#src/back-office/page-frame.tsx';
import { changePerson, useSession } from '#src/session/session.ts';
import { Button } from '#src/ui/button.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { loadLater } from '#src/ui/load-later.tsx';
import { PinForm } from './pin-form.tsx';

const PasskeyForm = loadLater(async () => (await import('./passkey-form.tsx')).PasskeyForm);

export function ProfileScreen() {
  const { t } = useTranslation();
  const user = useSession((state) => state.user);
  if (!user) return null;
  return (
    <PageFrame title={t('profile.title')} detail={user.email}>
      <chakra.div maxWidth="64rem" mt="-6" css={{ '& > * + *': { borderTop: '1px solid {colors.border}' } }}>
        <ProfileForm user={user} />
        <PasswordForm email={user.email} />
        <FormSection title={t('profile.device.title')} text={t('profile.device.text')}>
          <LanguageChoice />
          <ColourModeChoice />
        </FormSection>
        {/* At the end, because they ask the device first whether it offers them. */}
        <PinForm email={user.email} />
        <Suspense fallback={null}>
          <PasskeyForm email={user.email} />
        </Suspense>
      </chakra.div>
    </PageFrame>
  );
}

const profileOf = ({ name, phone }: UserClaims) => ({ name, phone: phone ?? '' });
type ProfileDraft = ReturnType<typeof profileOf>;

function ProfileForm({ user }: { user: UserClaims }) {
  const { t } = useTranslation();
  const form = useDraftForm({
    name: 'profile',
    initial: profileOf(user),
    record: edited(user, {
      draftOf: profileOf,
      views: { name: { label: t('profile.data.name') }, phone: { label: t('profile.data.phone') } },
    }),
    problemsOf: ({ name, phone }) => {
      const { email, role, status } = user;
      const problems = staffProblems({ name, phone, email, role, status, password: '' }, { isNew: false });
      return { ...(problems.name && { name: problems.name }), ...(problems.phone && { phone: problems.phone }) };
    },
  });
  const save = useSaveRecord<ProfileDraft, UserClaims>({
    form,
    path: 'auth/me',
    refreshes: staffPaths,
    done: () => t('profile.saved'),
    failed: t('profile.saveFailed'),
    onStored: (stored) => {
      form.saved(stored);
      changePerson({ ...user, name: stored.name, phone: stored.phone });
    },
  });
  return (
    <form
      noValidate
      onSubmit={(event) => void form.handleSubmit(async (draft) => void (await save.save(draft)))(event)}
    >
      <FormSection title={t('profile.data.title')} text={t('profile.data.text')}>
        <WholeRow display="flex" flexDirection="column" gap="4" _empty={{ display: 'none' }}>
          <FormNotes form={form} />
        </WholeRow>
        <TextField
          label={t('profile.data.name')}
          autoComplete="name"
          error={form.errorOf('name')}
          {...form.register('name')}
        />
        <TextField
          label={t('profile.data.phone')}
          type="tel"
          autoComplete="tel"
          error={form.errorOf('phone')}
          {...form.register('phone')}
        />
        <WholeRow>
          <Flex justify="flex-end">
            <Button type="submit" variant="primary" disabled={save.isRunning || !form.formState.isDirty}>
              {t(save.isRunning ? 'form.saving' : 'form.save')}
            </Button>
          </Flex>
        </WholeRow>
      </FormSection>
    </form>
  );
}

const noPasswords = { current_password: '', password: '' };
const secrets = ['current_password', 'password'] as const;

function PasswordForm({ email }: { email: string }) {
  const { t } = useTranslation();
  const form = useDraftForm({
    name: 'password',
    initial: noPasswords,
    problemsOf: ({ current_password, password }) => {
      const problem = passwordProblem(password);
      return {
        ...(current_password === '' && { current_password: 'REQUIRED' as const }),
        ...(problem && { password: problem }),
      };
    },
    secrets,
  });
  const save = useServerCall(
    (draft: typeof noPasswords, headers) => callServer('post', 'auth/password', draft, headers),
    {
      refreshes: [],
      done: () => t('profile.password.saved'),
      failed: t('profile.password.failed'),
      onRefused: form.takeRefusal,
    },
  );
  async function submit(draft: typeof noPasswords) {
    if (await save.run(draft)) form.reset(noPasswords);
  }
  return (
    <form noValidate onSubmit={(event) => void form.handleSubmit(submit)(event)}>
      <FormSection title={t('profile.password.title')} text={t('profile.password.text')}>
        {/* Password managers store the password under this user name. */}
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <TextField
          label={t('profile.password.current')}
          type="password"
          autoComplete="current-password"
          error={form.errorOf('current_password')}
          {...form.register('current_password')}
        />
        <TextField
          label={t('profile.password.next')}
          type="password"
          autoComplete="new-password"
          error={form.errorOf('password')}
          {...form.register('password')}
        />
        <WholeRow>
          <Flex justify="flex-end">
            <Button type="submit" variant="primary" disabled={save.isRunning}>
              {t(save.isRunning ? 'form.saving' : 'profile.password.save')}
            </Button>
          </Flex>
        </WholeRow>
      </FormSection>
    </form>
  );
}
