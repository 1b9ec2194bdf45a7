import { chakra, Flex } from '@chakra-ui/react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import { callServer } from '#src/api/client.ts';
import { useServerCall } from '#src/server-data/use-server-call.ts';
import type { DraftForm } from '#src/forms/draft-form.ts';
import { FormSection, WholeRow } from '#src/forms/form-section.tsx';
import { Button } from '#src/ui/button.tsx';
import { CheckField } from '#src/ui/check-field.tsx';
import { TextField } from '#src/ui/text-field.tsx';

const emailFields = ['low_stock_alerts', 'daily_reports', 'error_notifications', 'system_updates'] as const;

interface NotificationsSectionProps {
  form: DraftForm<ClinicSettings>;
  /** The address stored on the server, which receives the test mail. */
  savedAddress: string;
}

export function NotificationsSection({
  form: { register, errorOf, control },
  savedAddress,
}: NotificationsSectionProps) {
  const { t } = useTranslation();
  const typed = useWatch({ control, name: 'notification_email' });
  return (
    <FormSection anchor="notices" title={t('settings.notices.title')} text={t('settings.notices.text')}>
      <WholeRow>
        <TextField
          label={t('settings.fields.notification_email')}
          type="email"
          error={errorOf('notification_email')}
          {...register('notification_email')}
        />
      </WholeRow>
      <WholeRow>
        <TestMailButton savedAddress={savedAddress} isSaved={typed.trim() === savedAddress} />
      </WholeRow>
      {emailFields.map((field) => (
        <CheckField
          key={field}
          label={t(`settings.fields.${field}`)}
          hint={t(`settings.hints.${field}`)}
          {...register(field)}
        />
      ))}
    </FormSection>
  );
}

/** Sends a test mail to the saved address. Disabled while the field holds another address. */
function TestMailButton({ savedAddress, isSaved }: { savedAddress: string; isSaved: boolean }) {
  const { t } = useTranslation();
  const mail = useServerCall((_: null) => callServer<{ data: { to: string } }>('post', 'settings/test-mail'), {
    isQuestion: true,
    refreshes: [],
    done: (_, { data: { to } }) => t('settings.testMail.sent', { to }),
    failed: t('settings.testMail.failed'),
  });
  const hint = savedAddress === '' && isSaved ? 'none' : isSaved ? null : 'unsaved';
  return (
    <Flex align="center" gap="3" wrap="wrap">
      <Button disabled={hint !== null || mail.isRunning} onClick={() => void mail.run(null)}>
        {t(mail.isRunning ? 'settings.testMail.sending' : 'settings.testMail.send')}
      </Button>
      {hint && (
        <chakra.span fontSize="sm" color="fg.muted">
          {t(`settings.testMail.${hint}`)}
        </chakra.span>
      )}
    </Flex>
  );
}
