import { useTranslation } from 'react-i18next';
import { classes } from '#src/ui/classes.ts';
import text from '#src/ui/text.module.css';
import { useUser } from './signed-in.tsx';
import styles from './user-title.module.css';

/** The name of the signed-in person, and the title and description of their role. */
export function UserTitle({ className }: { className?: string | undefined }) {
  const { t } = useTranslation();
  const { name, role } = useUser();
  return (
    <div className={classes(styles['title'], className)}>
      <p className={classes(styles['name'], text['truncate'])}>{name}</p>
      <p className={styles['role']}>
        {t(`roles.${role}.title`)}
        <span className={styles['description']}> · {t(`roles.${role}.description`)}</span>
      </p>
    </div>
  );
}
