import type { ComponentProps, ReactNode } from 'react';
import { classes } from '#src/ui/classes.ts';
import text from '#src/ui/text.module.css';
import styles from './extra-button.module.css';

interface ExtraButtonProps extends Omit<ComponentProps<'button'>, 'value' | 'className'> {
  icon: ReactNode;
  /** The word shown while nothing is set. */
  word: string;
  value?: string | undefined;
}

/** A button that shows what it has set in place of its word, so that the row keeps its size. */
export function ExtraButton({ icon, word, value, ...rest }: ExtraButtonProps) {
  return (
    <button
      type="button"
      className={classes(styles['button'], value ? styles['set'] : undefined)}
      aria-label={value ?? word}
      title={value ?? word}
      {...rest}
    >
      {icon}
      {/* A new element for another word: in the old one it would start at another place. */}
      <span key={value ?? word} className={classes(styles['word'], text['truncate'])}>
        {value ?? word}
      </span>
    </button>
  );
}
