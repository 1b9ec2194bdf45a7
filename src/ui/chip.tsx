import type { ComponentProps } from 'react';
import styles from './chip.module.css';

/** A pill of a row of choices. `aria-pressed` marks the chosen one. */
export function Chip(props: Omit<ComponentProps<'button'>, 'className'>) {
  return <button type="button" className={styles['chip']} {...props} />;
}
