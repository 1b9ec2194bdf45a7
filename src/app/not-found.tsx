import { Flex } from '@chakra-ui/react';
import { Compass } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link, Navigate, useLocation } from 'react-router-dom';
import { buttonClass } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { sections } from './sections.tsx';

/** Says that an address leads nowhere. That of a section which this person cannot open leads to the start. */
export function NotFound({ home }: { home: string }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const wanted = pathname.replace(/^\/(?:admin\/)?/, '');
  if (wanted === '' || sections.some(({ path }) => path === wanted)) return <Navigate to={home} replace />;
  return (
    <Flex align="center" justify="center" minHeight="full" p="6">
      <EmptyState
        heading
        icon={<Compass />}
        title={t('shell.notFound.title')}
        text={t('shell.notFound.text', { address: pathname })}
      >
        <Link to={home} className={buttonClass({ variant: 'primary' })}>
          {t('shell.denied.back')}
        </Link>
      </EmptyState>
    </Flex>
  );
}
