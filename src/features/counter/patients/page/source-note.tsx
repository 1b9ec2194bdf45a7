import { chakra, Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { StyledButton } from '#src/ui/styled.tsx';

/** Says that the list below is from this device, because the server does not answer. */
export function SourceNote({ onAgain }: { onAgain: () => void }) {
  const { t } = useTranslation();
  return (
    <Flex align="center" justify="space-between" gap="3" ps="4" pe="2" pb="2" mt="-2" fontSize="sm" color="fg.muted">
      <chakra.output>{t('patients.page.away')}</chakra.output>
      <StyledButton variant="quiet" px="2" fontSize="sm" onClick={onAgain}>
        {t('patients.again')}
      </StyledButton>
    </Flex>
  );
}
