import { chakra, Flex } from '@chakra-ui/react';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router-dom';
import { addressOf } from '../sections.tsx';
import type { Section } from '../sections.tsx';
import { sectionIcons } from './section-icons.ts';
import { useUser } from './signed-in.tsx';

interface SectionTabsProps extends ComponentProps<typeof Flex> {
  sections: readonly Section[];
  /** The width from which the tabs show their names; below it only icons fit. */
  namesFrom?: 'md';
}

/** Links to sections in a row. */
export function SectionTabs({ sections, namesFrom, ...rest }: SectionTabsProps) {
  const { t } = useTranslation();
  const { role } = useUser();
  return (
    <Flex as="nav" aria-label={t('shell.tabs')} {...rest}>
      {sections.map(({ path, name }) => {
        const Icon = sectionIcons[name];
        const text = t(`shell.sections.${name}`);
        return (
          <chakra.a
            key={path}
            asChild
            display="flex"
            alignItems="center"
            gap="2"
            minWidth="12"
            justifyContent="center"
            px="3"
            whiteSpace="nowrap"
            fontWeight="medium"
            color="fg.muted"
            borderBottomWidth="2px"
            borderColor="transparent"
            _hover={{ color: 'fg' }}
            _currentPage={{ color: 'accent.fg', borderColor: 'accent.fg' }}
          >
            <NavLink to={addressOf(role, path, sections)} end aria-label={namesFrom && text}>
              <Icon size={20} />
              <chakra.span {...(namesFrom && { hideBelow: namesFrom })}>{text}</chakra.span>
            </NavLink>
          </chakra.a>
        );
      })}
    </Flex>
  );
}
