import { Flex } from '@chakra-ui/react';
import { Mark } from '../../ui/mark.tsx';
import { inMenu } from '../sections.tsx';
import type { Section } from '../sections.tsx';
import { SectionTabs } from './section-tabs.tsx';
import { SignOutButton } from './sign-out-button.tsx';
import { Content, HeaderTools, SignedInPage } from './signed-in.tsx';
import { UserTitle } from './user-title.tsx';

/** The light shell of those who work at the counter or the board: their few sections are tabs. */
export function RoleShell({ sections }: { sections: Section[] }) {
  const tabs = inMenu(sections, 'main');
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
          <UserTitle />
          <SectionTabs sections={tabs} hideBelow="lg" alignSelf="stretch" ms="4" />
          <HeaderTools sections={sections}>
            <SignOutButton />
          </HeaderTools>
        </Flex>
        {tabs.length > 1 && (
          <SectionTabs
            sections={tabs}
            hideFrom="lg"
            flexShrink={0}
            minHeight="12"
            px="1"
            bg="bg.surface"
            overflowX="auto"
            scrollbarWidth="none"
          />
        )}
        <Content />
      </Flex>
    </SignedInPage>
  );
}
