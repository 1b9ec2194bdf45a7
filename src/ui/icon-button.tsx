import type { ComponentProps, ReactNode } from 'react';
import { Button } from './button.tsx';
import { classes } from './classes.ts';
import styles from './icon-button.module.css';

/** A square button that shows only an icon; `label` is its accessible name and its tooltip. */
export function IconButton({
  label,
  size = 'md',
  className,
  ...rest
}: Omit<ComponentProps<typeof Button>, 'aria-label' | 'title' | 'children'> & { label: string; children: ReactNode }) {
  return (
    <Button
      variant="quiet"
      size={size}
      className={classes(styles[size], className)}
      aria-label={label}
      title={label}
      {...rest}
    />
  );
}
