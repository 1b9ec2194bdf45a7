import { chakra, Flex } from '@chakra-ui/react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useLocation } from 'react-router-dom';
import { LanguageChoice } from '../../preferences/choices.tsx';
import { hasCurrentToken, signInAgain, useSession } from '../../session/session.ts';
import { Mark } from '../../ui/mark.tsx';
import { BrandPanel } from './brand-panel.tsx';
import { SignInForm } from './sign-in-form.tsx';

export function SignInScreen() {
  const { t } = useTranslation();
  const location = useLocation();
  const mode = useSession((state) => state.mode);
  useEffect(() => {
    document.title = `${t('signIn.title')} · ${t('app.name')}`;
    return () => {
      document.title = t('app.name');
    };
  }, [t]);
  if (mode === 'online' && hasCurrentToken() && location.state !== signInAgain) return <Navigate to="/" replace />;
  return (
    <Flex minHeight="100dvh">
      <BrandPanel />
      <Flex as="main" direction="column" flex="1" minWidth="0" p={{ base: '4', md: '6' }}>
        <Flex align="center" justify="space-between" gap="2">
          <Flex align="center" gap="2" hideFrom="lg">
            <Mark color="accent.fg" />
            <chakra.span fontWeight="semibold" whiteSpace="nowrap">
              {t('app.name')}
            </chakra.span>
          </Flex>
          <Flex ms="auto">
            <LanguageChoice />
          </Flex>
        </Flex>
        <Flex direction="column" gap="6" width="full" maxWidth="96" mx="auto" pt={{ base: '8', md: '14vh' }} pb="8">
          <SignInForm />
        </Flex>
      </Flex>
    </Flex>
  );
}
