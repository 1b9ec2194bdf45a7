import type { ComponentProps } from 'react';
import styles from './button.module.css';
import { classes } from './classes.ts';

interface ButtonLook {
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger' | 'dangerQuiet' | undefined;
  /** `md` (48 px) is the default, `lg` (64 px) is for the counter's main actions, `sm` (40 px) for tables. */
  size?: 'sm' | 'md' | 'lg' | undefined;
  wide?: boolean | undefined;
  className?: string | undefined;
}

/** Returns the class of a button, for a link that looks like one. */
export const buttonClass = ({ variant = 'secondary', size = 'md', wide, className }: ButtonLook): string =>
  classes(styles['button'], styles[size], styles[variant], wide && styles['wide'], className);

export function Button({ variant, size, wide, className, ...rest }: ComponentProps<'button'> & ButtonLook) {
  return <button type="button" className={buttonClass({ variant, size, wide, className })} {...rest} />;
}
