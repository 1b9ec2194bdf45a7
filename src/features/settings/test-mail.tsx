import { chakra, Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { callServer } from '../../api/client.ts';
import { useServerCall } from '../../server-data/use-server-call.ts';
import { Button } from '../../ui/button.tsx';

/**
 * A mail that proves that mail arrives.
 *
 * @param saved the address as the server knows it, which is where the mail goes
 * @param isSaved whether that is the one in the field
 */
export function TestMail({ saved, isSaved }: { saved: string; isSaved: boolean }) {
  const { t } = useTranslation();
  const mail = useServerCall((_: null) => callServer<{ data: { to: string } }>('post', 'settings/test-mail'), {
    refreshes: [],
    done: (_, { data: { to } }) => t('settings.testMail.sent', { to }),
    failed: t('settings.testMail.failed'),
  });
  const hint = saved === '' && isSaved ? 'none' : isSaved ? null : 'unsaved';
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
