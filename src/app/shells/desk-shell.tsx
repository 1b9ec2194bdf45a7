import { chakra, Flex } from '@chakra-ui/react';
import { Menu, PanelLeftClose, PanelLeftOpen, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NavLink, Navigate, useLocation } from 'react-router-dom';
import { useClinicSettings, useHasSettings } from '#src/local-data/use-clinic-settings.ts';
import { Drawer } from '#src/ui/drawer.tsx';
import { IconButton } from '#src/ui/icon-button.tsx';
import { Skeleton } from '#src/ui/skeleton.tsx';
import { setContentStart } from '#src/ui/toaster.tsx';
import { Mark } from '#src/ui/mark.tsx';
import { mediaQuery } from '#src/ui/media-query.ts';
import { addressOf, inMenu } from '../sections.tsx';
import { pathOf } from '#src/navigation/path-of.ts';
import type { Section, SectionName } from '../sections.tsx';
import { PaletteButton } from '../palette/palette-button.tsx';
import { sectionIcons } from './section-icons.ts';
import { SectionTabs } from './section-tabs.tsx';
import { SignOutButton } from './sign-out-button.tsx';
import { Content, HeaderTools, SignedInPage, useUser } from './signed-in.tsx';
import { UserTitle } from './user-title.tsx';

const collapsedKey = 'sidebar';

/** Returns true when the sidebar is no drawer. */
const useHasSidebar = mediaQuery('(min-width: 768px)');

/** Returns true when the expanded sidebar leaves enough room for a page. */
const useHasRoom = mediaQuery('(min-width: 1024px)');

/**
 * The choice in a window with room is stored. In a narrower one the sidebar is collapsed at first, and expanded only until
 * the window is wider again: a tablet that is turned changes no choice.
 */
function useSidebar(): { collapsed: boolean; toggle: () => void } {
  const hasRoom = useHasRoom();
  const [chosen, setChosen] = useState(() => localStorage.getItem(collapsedKey) === 'collapsed');
  const [expandedForNow, setExpandedForNow] = useState(false);
  if (hasRoom && expandedForNow) setExpandedForNow(false);
  function toggle() {
    if (!hasRoom) return setExpandedForNow(!expandedForNow);
    localStorage.setItem(collapsedKey, chosen ? 'expanded' : 'collapsed');
    setChosen(!chosen);
  }
  return { collapsed: hasRoom ? chosen : !expandedForNow, toggle };
}

/** Sections that managers also reach by tabs: the two between which they go to and fro. */
const tabbed: readonly SectionName[] = ['dashboard', 'counter'];

/** Shows a title where there is room for a name: else it wraps out of sight, because the rest of a name says nothing. */
const wholeOrHidden = {
  display: 'flex',
  flexWrap: 'wrap',
  minWidth: '0',
  height: '{sizes.14}',
  overflow: 'hidden',
  '&::before': { content: '""', height: 'full' },
  '& > *': { flex: '1 0 6rem', justifyContent: 'center', height: 'full' },
};

/** The shell of those who manage: sections in a sidebar, which is a drawer on a phone. */
export function DeskShell({ sections }: { sections: Section[] }) {
  const { t } = useTranslation();
  const { role } = useUser();
  const isAdmin = role === 'admin';
  const { pathname } = useLocation();
  const { collapsed, toggle } = useSidebar();
  const hasSidebar = useHasSidebar();
  const [drawer, setDrawer] = useState(false);
  const current = sections.find(({ path }) => pathname === pathOf(role, path))?.name;
  useEffect(() => {
    setContentStart(hasSidebar ? (collapsed ? '4.5rem' : '16rem') : null);
    return () => setContentStart(null);
  }, [hasSidebar, collapsed]);
  const { setup_finished: isSetUp } = useClinicSettings();
  // Before the first feed nobody knows whether the clinic is set up.
  const hasSettings = useHasSettings();
  const mayLeadToSetup = isAdmin && current === 'dashboard';
  if (mayLeadToSetup && !isSetUp) return <Navigate to={pathOf(role, 'welcome')} replace />;
  return (
    <SignedInPage>
      <Flex
        position="relative"
        top="var(--visible-top)"
        height="var(--visible-height)"
        paddingBlock="env(safe-area-inset-top) var(--safe-bottom)"
        css={{ container: 'window / size' }}
      >
        <Flex
          as="aside"
          aria-label={t('shell.menu')}
          direction="column"
          hideBelow="md"
          width={collapsed ? '18' : '64'}
          flexShrink={0}
          bg="bg.surface"
          borderRightWidth="1px"
          borderColor="border"
        >
          <Brand collapsed={collapsed} />
          <Navigation sections={inMenu(sections, 'main')} collapsed={collapsed} />
          <Flex p="3">
            <IconButton
              label={t(collapsed ? 'shell.expand' : 'shell.collapse')}
              aria-expanded={!collapsed}
              onClick={toggle}
            >
              {collapsed ? <PanelLeftOpen /> : <PanelLeftClose />}
            </IconButton>
          </Flex>
        </Flex>
        <Flex direction="column" flex="1" minWidth="0">
          <Flex
            as="header"
            data-yields
            align="center"
            // On a phone the pill of an outage, the menu and the person take the whole width.
            gap={{ base: '1', md: '2' }}
            minHeight="16"
            // Named, so that what is in it can ask for the room beside the sidebar.
            css={{
              container: 'header / inline-size',
              '@container window (height < 30rem)': { minHeight: '3rem' },
            }}
            ps={{ base: '1', md: '6' }}
            pe={{ base: '1', md: '4' }}
            bg="bg.surface"
            borderBottomWidth="1px"
            borderColor="border"
          >
            <chakra.span hideFrom="md">
              <IconButton label={t('shell.openMenu')} onClick={() => setDrawer(true)}>
                <Menu />
              </IconButton>
            </chakra.span>
            {!isAdmin && (
              <>
                <Flex alignSelf="stretch">
                  <SectionTabs sections={sections.filter(({ name }) => tabbed.includes(name))} namesFrom="md" />
                </Flex>
                <chakra.div hideBelow="lg" css={wholeOrHidden}>
                  <UserTitle />
                </chakra.div>
              </>
            )}
            <PaletteButton sections={sections} />
            <HeaderTools sections={sections}>
              {!isAdmin && (
                <chakra.span hideBelow="md">
                  <SignOutButton />
                </chakra.span>
              )}
            </HeaderTools>
          </Flex>
          {mayLeadToSetup && hasSettings === false ? <FirstSkeleton /> : <Content />}
        </Flex>
      </Flex>
      <Drawer open={drawer} onClose={() => setDrawer(false)} label={t('shell.menu')}>
        <Flex align="center" justify="space-between" pe="2">
          <Brand collapsed={false} />
          <IconButton label={t('shell.closeMenu')} onClick={() => setDrawer(false)}>
            <X />
          </IconButton>
        </Flex>
        <Navigation sections={inMenu(sections, 'main')} collapsed={false} onNavigate={() => setDrawer(false)} />
      </Drawer>
    </SignedInPage>
  );
}

/** Stands where the dashboard or the first step of the setup will. */
function FirstSkeleton() {
  return (
    <Flex
      as="main"
      id="content"
      direction="column"
      gap="6"
      width="full"
      maxWidth="72rem"
      mx="auto"
      p={{ base: '4', md: '8' }}
    >
      <Skeleton height="8" maxWidth="20rem" />
      <Skeleton height="20rem" />
    </Flex>
  );
}

function Brand({ collapsed }: { collapsed: boolean }) {
  const { t } = useTranslation();
  return (
    <Flex align="center" gap="3" minHeight="16" px="5">
      <chakra.span color="accent.fg" flexShrink={0}>
        <Mark />
      </chakra.span>
      {!collapsed && <chakra.span fontWeight="semibold">{t('app.name')}</chakra.span>}
    </Flex>
  );
}

function Navigation(props: { sections: Section[]; collapsed: boolean; onNavigate?: () => void }) {
  const { sections, collapsed, onNavigate } = props;
  const { t } = useTranslation();
  const { role } = useUser();
  return (
    <Flex
      as="nav"
      aria-label={t('shell.navigation')}
      direction="column"
      gap="1"
      p="3"
      flex="1"
      minHeight="0"
      overflowY="auto"
      scrollbarWidth="none"
    >
      {sections.map(({ path, name: section }) => {
        const name = t(`shell.sections.${section}`);
        const Icon = sectionIcons[section];
        return (
          <chakra.a
            key={path}
            asChild
            display="flex"
            alignItems="center"
            justifyContent={collapsed ? 'center' : 'flex-start'}
            gap="3"
            minHeight="12"
            px="3"
            borderRadius="md"
            fontWeight="medium"
            color="fg.muted"
            lineHeight="tight"
            css={{
              '& svg': { flexShrink: 0 },
              '&:not([aria-current=page]):hover': { bg: 'bg.hover', color: 'fg' },
            }}
            _currentPage={{ bg: 'accent.subtle', color: 'accent.fg' }}
          >
            <NavLink to={addressOf(role, path, sections)} end onClick={onNavigate} title={collapsed ? name : undefined}>
              <Icon size={20} />
              <chakra.span srOnly={collapsed}>{name}</chakra.span>
            </NavLink>
          </chakra.a>
        );
      })}
    </Flex>
  );
}
