import { chakra, Flex } from '@chakra-ui/react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { VerifierRow } from '../db/database.ts';
import { initials } from '../ui/initials.ts';

interface PeopleListProps {
  people: VerifierRow[];
  chosen: VerifierRow | undefined;
  onChoose: (email: string) => void;
}

/** Lists the people who can unlock this device. A long list scrolls on its own, so that the keys stay in view. */
export function PeopleList({ people, chosen, onChoose }: PeopleListProps) {
  const { t } = useTranslation();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-pressed=true]')?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <Flex
      ref={list}
      as="fieldset"
      aria-label={t('lock.who')}
      direction="column"
      gap="2"
      p="1"
      m="-1"
      minWidth="0"
      maxHeight={{ base: '12rem', md: '26rem' }}
      overflowY="auto"
      overscrollBehavior="contain"
    >
      {people.map(({ email, user }) => (
        <chakra.button
          key={email}
          type="button"
          aria-pressed={email === chosen?.email}
          onClick={() => onChoose(email)}
          display="flex"
          alignItems="center"
          gap="3"
          flexShrink={0}
          width="full"
          minHeight="16"
          px="3"
          textAlign="start"
          bg="bg.surface"
          borderWidth="1px"
          borderColor="border"
          borderRadius="md"
          cursor="pointer"
          _hover={{ bg: 'bg.hover' }}
          _pressed={{ bg: 'accent.subtle', borderColor: 'accent.solid' }}
        >
          <Flex
            align="center"
            justify="center"
            flexShrink={0}
            width="10"
            height="10"
            borderRadius="full"
            bg={email === chosen?.email ? 'bg.surface' : 'accent.subtle'}
            color="accent.fg"
            fontSize="sm"
            fontWeight="semibold"
            aria-hidden
          >
            {initials(user.name)}
          </Flex>
          <chakra.span minWidth="0" lineHeight="tight">
            <chakra.span display="block" fontWeight="medium" truncate>
              {user.name}
            </chakra.span>
            <chakra.span display="block" fontSize="sm" color="fg.muted">
              {t(`roles.${user.role}.name`)}
            </chakra.span>
          </chakra.span>
        </chakra.button>
      ))}
    </Flex>
  );
}
