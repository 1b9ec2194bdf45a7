import { chakra, Flex } from '@chakra-ui/react';
import { Lock, LogOut } from 'lucide-react';
import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { UserClaims } from '../../../domain/staff/roles.ts';
import { lock } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { initials } from '../../ui/initials.ts';
import { PopoverPanel } from '../../ui/popover-panel.tsx';
import { ColourModeChoice, LanguageChoice } from '../../preferences/choices.tsx';
import { InstallButton } from '../../install/install-hint.tsx';
import { pathOf } from '../../navigation/path-of.ts';
import type { Section } from '../sections.tsx';
import { sectionIcons } from './section-icons.ts';
import { SignOutDialog } from './sign-out-dialog.tsx';

export function UserMenu({ user, sections }: { user: UserClaims; sections: readonly Section[] }) {
  const { t } = useTranslation();
  const [leaving, setLeaving] = useState(false);
  const panel = useId();
  const name = t('shell.userMenu', { name: user.name });
  return (
    <>
      <chakra.button
        type="button"
        popoverTarget={panel}
        aria-label={name}
        display="flex"
        alignItems="center"
        justifyContent="center"
        width="12"
        height="12"
        borderRadius="full"
        cursor="pointer"
      >
        <Flex
          align="center"
          justify="center"
          width="10"
          height="10"
          borderRadius="full"
          bg="accent.subtle"
          color="accent.fg"
          fontSize="sm"
          fontWeight="semibold"
        >
          {initials(user.name)}
        </Flex>
      </chakra.button>
      <PopoverPanel id={panel} label={name}>
        <Flex direction="column" p="4" borderBottomWidth="1px" borderColor="border">
          <chakra.p fontWeight="semibold">{user.name}</chakra.p>
          <chakra.p fontSize="sm" color="fg.muted" overflowWrap="anywhere">
            {user.email}
          </chakra.p>
          <chakra.p fontSize="sm" color="fg.muted">
            {t(`roles.${user.role}.title`)}
          </chakra.p>
        </Flex>
        <Flex direction="column" gap="4" p="4" borderBottomWidth="1px" borderColor="border">
          <Setting name={t('language.label')}>
            <LanguageChoice />
          </Setting>
          <Setting name={t('colourMode.label')}>
            <ColourModeChoice />
          </Setting>
          <InstallButton />
        </Flex>
        <Flex direction="column" p="2">
          {sections.map(({ name: section, path }) => {
            const Icon = sectionIcons[section];
            return (
              <Button key={section} asChild variant="quiet" wide justifyContent="flex-start">
                <Link to={pathOf(user.role, path)} onClick={() => document.getElementById(panel)?.hidePopover()}>
                  <Icon />
                  {t(`shell.sections.${section}`)}
                </Link>
              </Button>
            );
          })}
          <Button
            variant="quiet"
            wide
            justifyContent="flex-start"
            popoverTarget={panel}
            popoverTargetAction="hide"
            onClick={lock}
          >
            <Lock />
            {t('shell.lock')}
          </Button>
          <Button
            variant="quiet"
            wide
            justifyContent="flex-start"
            popoverTarget={panel}
            popoverTargetAction="hide"
            onClick={() => setLeaving(true)}
          >
            <LogOut />
            {t('shell.logout')}
          </Button>
        </Flex>
      </PopoverPanel>
      <SignOutDialog open={leaving} onClose={() => setLeaving(false)} />
    </>
  );
}

function Setting({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Flex direction="column" gap="1.5">
      <chakra.span fontSize="sm" fontWeight="medium" aria-hidden>
        {name}
      </chakra.span>
      {children}
    </Flex>
  );
}
