import { Mark } from '#src/ui/mark.tsx';
import { inMenu } from '../sections.tsx';
import type { Section } from '../sections.tsx';
import styles from './role-shell.module.css';
import { SectionTabs } from './section-tabs.tsx';
import { SignOutButton } from './sign-out-button.tsx';
import { Content, HeaderTools, SignedInPage } from './signed-in.tsx';
import { UserTitle } from './user-title.tsx';

/** The light shell of those who work at the counter or the board: their few sections are tabs. */
export function RoleShell({ sections }: { sections: Section[] }) {
  const tabs = inMenu(sections, 'main');
  return (
    <SignedInPage>
      <div className={styles['shell']}>
        <header data-yields className={styles['header']}>
          <Mark className={styles['mark']} />
          <UserTitle className={styles['title']} />
          <SectionTabs sections={tabs} className={styles['tabsInHeader']} />
          <HeaderTools sections={sections}>
            <SignOutButton />
          </HeaderTools>
        </header>
        {tabs.length > 1 && <SectionTabs sections={tabs} className={styles['tabsBelow']} />}
        <Content />
      </div>
    </SignedInPage>
  );
}
