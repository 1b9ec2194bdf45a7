import { chakra, Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import type { DemoAccount } from './use-session-options.ts';

/** One button for each account of a demonstration; it fills in the form and signs nobody in. */
export function DemoAccounts(props: { accounts: DemoAccount[]; onFill: (account: DemoAccount) => void }) {
  const { t } = useTranslation();
  return (
    <Flex as="section" direction="column" gap="3" pt="6" borderTopWidth="1px" borderColor="border">
      <div>
        <chakra.h2 fontWeight="semibold">{t('signIn.demo.title')}</chakra.h2>
        <chakra.p fontSize="sm" color="fg.muted">
          {t('signIn.demo.text')}
        </chakra.p>
      </div>
      <Flex gap="2">
        {props.accounts.map((account) => {
          const role = t(`signIn.demo.${account.role}`);
          return (
            <Button
              key={account.role}
              flex="1"
              title={t('signIn.demo.fill', { role })}
              onClick={() => props.onFill(account)}
            >
              {role}
            </Button>
          );
        })}
      </Flex>
    </Flex>
  );
}
