import { chakra, Flex } from '@chakra-ui/react';
import { useEffect, useRef } from 'react';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { NavLink, useLocation } from 'react-router-dom';
import { Mark } from '../../ui/mark.tsx';
import { inMenu } from '../sections.tsx';
import type { Section } from '../sections.tsx';
import { sectionIcons } from './section-icons.ts';
import { SignOutButton } from './sign-out-button.tsx';
import { Content, HeaderTools, SignedInPage, useUser } from './signed-in.tsx';

/** Number of tabs that fit into the header of a wide window. */
const mostInHeader = 4;

/** The shell for everyone but administrators. */
export function RoleShell({ sections }: { sections: Section[] }) {
  const { t } = useTranslation();
  const { name, role } = useUser();
  const tabs = inMenu(sections, 'main');
  const inHeader = tabs.length <= mostInHeader;
  return (
    <SignedInPage>
      <Flex direction="column" height="100dvh">
        <Flex
          as="header"
          align="center"
          gap="3"
          minHeight="16"
          ps={{ base: '3', md: '4' }}
          pe={{ base: '2', md: '4' }}
          bg="bg.surface"
          borderBottomWidth="1px"
          borderColor="border"
        >
          <Mark color="accent.fg" flexShrink={0} hideBelow="sm" />
          <Flex direction="column" minWidth="0" lineHeight="tight" gap="0.5">
            <chakra.p fontWeight="semibold" truncate>
              {name}
            </chakra.p>
            <chakra.p fontSize="sm" color="fg.muted" truncate>
              {t(`roles.${role}.title`)}
              <chakra.span hideBelow="lg"> · {t(`roles.${role}.description`)}</chakra.span>
            </chakra.p>
          </Flex>
          {inHeader && <Tabs sections={tabs} hideBelow="lg" alignSelf="stretch" ms="4" />}
          <HeaderTools sections={sections}>
            <SignOutButton />
          </HeaderTools>
        </Flex>
        {tabs.length > 1 && (
          <Tabs
            sections={tabs}
            {...(inHeader && { hideFrom: 'lg' as const })}
            position="relative"
            flexShrink={0}
            minHeight="12"
            px="1"
            bg="bg.surface"
            borderBottomWidth={inHeader ? '0' : '1px'}
            borderColor="border"
            overflowX="auto"
            scrollbarWidth="none"
          />
        )}
        <Content />
      </Flex>
    </SignedInPage>
  );
}

function Tabs({ sections, ...rest }: ComponentProps<typeof Flex> & { sections: Section[] }) {
  const { t } = useTranslation();
  const row = useRef<HTMLDivElement>(null);
  const { pathname } = useLocation();
  // A row longer than the window scrolls to the tab of the page.
  useEffect(() => {
    const current = row.current?.querySelector<HTMLElement>(`a[href="${pathname}"]`);
    if (row.current && current)
      row.current.scrollLeft = current.offsetLeft - (row.current.clientWidth - current.offsetWidth) / 2;
  }, [pathname]);
  return (
    <Flex ref={row} as="nav" aria-label={t('shell.tabs')} {...rest}>
      {sections.map(({ path, name }, index) => {
        const Icon = sectionIcons[name];
        return (
          <chakra.a
            key={path}
            asChild
            display="flex"
            alignItems="center"
            gap="2"
            px="3"
            whiteSpace="nowrap"
            fontWeight="medium"
            color="fg.muted"
            borderBottomWidth="2px"
            borderColor="transparent"
            _hover={{ color: 'fg' }}
            _currentPage={{ color: 'accent.fg', borderColor: 'accent.fg' }}
          >
            <NavLink to={index === 0 ? '/' : `/${path}`} end>
              <Icon size={20} />
              {t(`shell.sections.${name}`)}
            </NavLink>
          </chakra.a>
        );
      })}
    </Flex>
  );
}
