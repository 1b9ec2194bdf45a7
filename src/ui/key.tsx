import type { ComponentProps } from 'react';
import { classes } from './classes.ts';
import styles from './key.module.css';

/** A key of 64 px, or 48 px on phones. `lg` is 64 px there too; `md` is 48 px everywhere, with smaller text. */
export function Key({ size, ...rest }: ComponentProps<'button'> & { size?: 'md' | 'lg' }) {
  return <button type="button" className={classes(styles['key'], size && styles[size])} {...rest} />;
}
