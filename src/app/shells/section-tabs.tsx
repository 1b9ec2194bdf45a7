import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router-dom';
import { addressOf } from '../sections.tsx';
import type { Section } from '../sections.tsx';
import { sectionIcons } from './section-icons.ts';
import { classes } from '#src/ui/classes.ts';
import styles from './section-tabs.module.css';
import { useUser } from './signed-in.tsx';

interface SectionTabsProps {
  sections: readonly Section[];
  /** The width from which the tabs show their names; below it only icons fit. */
  namesFrom?: 'md';
  className?: string | undefined;
}

/** Links to sections in a row. */
export function SectionTabs({ sections, namesFrom, className }: SectionTabsProps) {
  const { t } = useTranslation();
  const { role } = useUser();
  return (
    <nav
      data-yields
      className={classes(styles['tabs'], !namesFrom && styles['named'], className)}
      aria-label={t('shell.tabs')}
    >
      {sections.map(({ path, name }) => {
        const Icon = sectionIcons[name];
        const text = t(`shell.sections.${name}`);
        return (
          <NavLink
            key={path}
            to={addressOf(role, path, sections)}
            end
            className={styles['tab'] ?? ''}
            aria-label={namesFrom && text}
          >
            <Icon size={20} />
            <span className={namesFrom && styles['wideName']}>{text}</span>
          </NavLink>
        );
      })}
    </nav>
  );
}
