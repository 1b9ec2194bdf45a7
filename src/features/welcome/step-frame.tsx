import { chakra, Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#src/ui/button.tsx';
import { StyledButton } from '#src/ui/styled.tsx';

/** Where a step leads. */
export interface StepProps {
  /** Goes to the next step; after the last one the setup is finished. */
  onDone: () => void;
  /** Goes to the step before; undefined in the first one. */
  onBack: (() => void) | undefined;
}

interface StepFrameProps extends StepProps {
  title: string;
  text: string;
  /** Text of the main button. */
  submit: string;
  isBusy: boolean;
  onSubmit: () => void;
  children: ReactNode;
}

/** On a phone the three buttons share one row. */
const quiet = { variant: 'quiet', px: { base: '2', md: '4' }, fontSize: { base: 'sm', md: 'md' } } as const;

/** One step: what it asks, and the ways out of it. */
export function StepFrame({ title, text, submit, isBusy, onSubmit, onDone, onBack, children }: StepFrameProps) {
  const { t } = useTranslation();
  return (
    <chakra.form
      noValidate
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      display="flex"
      flexDirection="column"
      gap={{ base: '4', md: '6' }}
      minWidth="0"
      p={{ base: '4', md: '6' }}
      css={{ '@media (height < 30rem)': { gap: '{spacing.3}', paddingTop: '{spacing.3}' } }}
      bg="bg.surface"
      borderWidth="1px"
      borderColor="border"
      borderRadius="md"
    >
      <div>
        <chakra.h2 fontSize="lg" fontWeight="semibold" lineHeight="tight">
          {title}
        </chakra.h2>
        <chakra.p color="fg.muted" mt="1">
          {text}
        </chakra.p>
      </div>
      {children}
      {/* In sight below a long list, and over its last rows only while there is more of it. */}
      <Flex
        gap="2"
        wrap="wrap"
        justify="flex-end"
        borderTopWidth="1px"
        borderColor="border"
        position="sticky"
        bottom="0"
        zIndex="docked"
        bg="bg.surface"
        py="4"
        mb={{ base: '-4', md: '-6' }}
        css={{
          borderEndStartRadius: '{radii.md}',
          borderEndEndRadius: '{radii.md}',
          '@media (height < 30rem)': { position: 'static' },
        }}
      >
        {onBack && (
          <StyledButton {...quiet} me="auto" ms={{ base: '-2', md: '0' }} onClick={onBack}>
            {t('form.back')}
          </StyledButton>
        )}
        <StyledButton {...quiet} onClick={onDone}>
          {t('welcome.skipStep')}
        </StyledButton>
        <Button type="submit" variant="primary" disabled={isBusy}>
          {submit}
        </Button>
      </Flex>
    </chakra.form>
  );
}

/** Fields in two columns where there is room. */
export const Fields = chakra('div', {
  base: {
    display: 'grid',
    gridTemplateColumns: { base: 'minmax(0, 1fr)', md: '1fr 1fr' },
    gap: '5',
    alignItems: 'start',
  },
});
