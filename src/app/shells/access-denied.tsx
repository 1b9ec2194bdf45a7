import { Flex } from '@chakra-ui/react';
import { ShieldAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { buttonClass } from '#src/ui/button.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';

export function AccessDenied() {
  const { t } = useTranslation();
  return (
    <Flex align="center" justify="center" minHeight="full" p="6">
      <EmptyState
        heading
        icon={<ShieldAlert />}
        title={t('shell.denied.title')}
        text={`${t('shell.denied.text')} ${t('shell.denied.ask')}`}
      >
        <Link to="/" className={buttonClass({ variant: 'primary' })}>
          {t('shell.denied.back')}
        </Link>
      </EmptyState>
    </Flex>
  );
}
