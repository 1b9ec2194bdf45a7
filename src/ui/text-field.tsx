import type { ComponentProps, ReactNode } from 'react';
import { classes } from './classes.ts';
import { controlClass, Field } from './field.tsx';
import type { FieldProps } from './field.tsx';
import styles from './text-field.module.css';

interface TextFieldProps extends Omit<ComponentProps<'input'>, keyof FieldProps>, FieldProps {
  /** Icon inside the field at its start; `end` is a button at its end. */
  start?: ReactNode;
  end?: ReactNode;
}

export function TextField({
  label,
  hint,
  error,
  start,
  end,
  labelHidden = false,
  id,
  className,
  ...rest
}: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} labelHidden={labelHidden} id={id}>
      {(control) => (
        <div className={styles['frame']}>
          {start && (
            <span className={styles['start']} aria-hidden>
              {start}
            </span>
          )}
          <input {...control} className={classes(controlClass, className)} {...rest} />
          {end && <span className={styles['end']}>{end}</span>}
        </div>
      )}
    </Field>
  );
}
