import { Lock, LogOut } from 'lucide-react';
import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { UserClaims } from '#domain/staff/roles.ts';
import { lock } from '#src/session/session.ts';
import { Button, buttonClass } from '#src/ui/button.tsx';
import { initials } from '#src/ui/initials.ts';
import { hidePopover } from '#src/ui/popover.ts';
import { PopoverPanel } from '#src/ui/popover-panel.tsx';
import { ColourModeChoice, LanguageChoice } from '#src/preferences/choices.tsx';
import { InstallButton } from '#src/install/install-hint.tsx';
import { pathOf } from '#src/navigation/path-of.ts';
import type { Section } from '../sections.tsx';
import { sectionIcons } from './section-icons.ts';
import { SignOutDialog } from './sign-out-button.tsx';
import styles from './user-menu.module.css';

export function UserMenu({ user, sections }: { user: UserClaims; sections: readonly Section[] }) {
  const { t } = useTranslation();
  const [leaving, setLeaving] = useState(false);
  const panel = useId();
  const name = t('shell.userMenu', { name: user.name });
  return (
    <>
      <button type="button" popoverTarget={panel} aria-label={name} className={styles['face']}>
        <span className={styles['initials']}>{initials(user.name)}</span>
      </button>
      <PopoverPanel id={panel} label={name}>
        <div className={styles['person']}>
          <p className={styles['name']}>{user.name}</p>
          <p>{user.email}</p>
          <p>{t(`roles.${user.role}.title`)}</p>
        </div>
        <div className={styles['settings']}>
          <Setting name={t('language.label')}>
            <LanguageChoice />
          </Setting>
          <Setting name={t('colourMode.label')}>
            <ColourModeChoice />
          </Setting>
          <InstallButton onLeave={() => hidePopover(document.getElementById(panel))} />
        </div>
        <div className={styles['entries']}>
          {sections.map(({ name: section, path }) => {
            const Icon = sectionIcons[section];
            return (
              <Link
                key={section}
                to={pathOf(user.role, path)}
                className={buttonClass(entry)}
                onClick={() => hidePopover(document.getElementById(panel))}
              >
                <Icon />
                {t(`shell.sections.${section}`)}
              </Link>
            );
          })}
          <Button {...entry} popoverTarget={panel} popoverTargetAction="hide" onClick={lock}>
            <Lock />
            {t('shell.lock')}
          </Button>
          <Button {...entry} popoverTarget={panel} popoverTargetAction="hide" onClick={() => setLeaving(true)}>
            <LogOut />
            {t('shell.logout')}
          </Button>
        </div>
      </PopoverPanel>
      <SignOutDialog open={leaving} onClose={() => setLeaving(false)} />
    </>
  );
}

/** The look of an entry of the menu. */
const entry = { variant: 'quiet', wide: true, className: styles['entry'] } as const;

function Setting({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles['setting']}>
      <span aria-hidden>{name}</span>
      {children}
    </div>
  );
}
