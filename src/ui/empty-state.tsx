import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

/** A message in place of an empty list: it names what the list will show and offers an action that fills it. */
export function EmptyState({
  icon,
  title,
  text,
  heading = false,
  children,
}: {
  icon?: ReactNode;
  title: string;
  text?: string | undefined;
  /** Makes the title the heading of the page, for an empty state that fills the whole page. */
  heading?: boolean;
  children?: ReactNode;
}) {
  const Title = heading ? 'h1' : 'p';
  return (
    <div className={styles['empty']}>
      {icon && (
        <div className={styles['icon']} aria-hidden>
          {icon}
        </div>
      )}
      <Title className={styles['title']}>{title}</Title>
      {text && <p className={styles['text']}>{text}</p>}
      {children && <div className={styles['actions']}>{children}</div>}
    </div>
  );
}
