import { chakra, Flex } from '@chakra-ui/react';
import { CloudOff, ReceiptText, RefreshCw, ShieldCheck } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useLocation } from 'react-router-dom';
import { LanguageChoice } from '../../preferences/choices.tsx';
import { hasCurrentToken, signInAgain, useSession } from '../../session/session.ts';
import { Mark } from '../../ui/mark.tsx';
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

const features = [
  ['offline', CloudOff],
  ['invoice', ReceiptText],
  ['sync', RefreshCw],
  ['safe', ShieldCheck],
] as const;

function BrandPanel() {
  const { t } = useTranslation();
  return (
    <Flex
      as="aside"
      aria-label={t('app.name')}
      hideBelow="lg"
      direction="column"
      justify="space-between"
      gap="12"
      flex="0 0 44%"
      maxWidth="40rem"
      p="12"
      bg="brand.bg"
      color="brand.fg"
    >
      <Flex align="center" gap="3">
        <Mark />
        <chakra.span fontSize="lg" fontWeight="semibold">
          {t('app.name')}
        </chakra.span>
      </Flex>
      <Flex direction="column" gap="4">
        <chakra.p
          fontSize="xl"
          fontWeight="semibold"
          lineHeight="tight"
          letterSpacing="tight"
          maxWidth="96"
          textWrap="balance"
        >
          {t('signIn.brand.headline')}
        </chakra.p>
        <chakra.p fontSize="lg" color="brand.muted" maxWidth="96" textWrap="balance">
          {t('signIn.brand.text')}
        </chakra.p>
      </Flex>
      <chakra.ul display="flex" flexDirection="column">
        {features.map(([feature, Icon]) => (
          <chakra.li key={feature} display="flex" gap="4" py="4" borderTopWidth="1px" borderColor="brand.line">
            <chakra.span mt="0.5" aria-hidden>
              <Icon size={20} />
            </chakra.span>
            <div>
              <chakra.p fontWeight="medium">{t(`signIn.brand.features.${feature}.title`)}</chakra.p>
              <chakra.p fontSize="sm" color="brand.muted">
                {t(`signIn.brand.features.${feature}.text`)}
              </chakra.p>
            </div>
          </chakra.li>
        ))}
      </chakra.ul>
    </Flex>
  );
}
