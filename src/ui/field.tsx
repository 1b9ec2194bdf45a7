import { useId } from 'react';
import type { ReactNode } from 'react';
import styles from './field.module.css';
import text from './text.module.css';

export interface FieldProps {
  label: string;
  hint?: ReactNode;
  /** Error in the value, as text. If set, the field is announced as invalid. */
  error?: string | undefined;
  /** Leaves the label to screen readers, if an icon shows the meaning. */
  labelHidden?: boolean;
  id?: string | undefined;
}

/** Attributes that connect a control with its label and its hint or error. */
export interface ControlProps {
  id: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

/** A label, a control, and below them a hint or an error. */
export function Field({
  label,
  hint,
  error,
  labelHidden = false,
  id,
  children,
}: FieldProps & { children: (control: ControlProps) => ReactNode }) {
  const own = useId();
  const controlId = id ?? own;
  const note = error ?? hint;
  return (
    <div className={styles['field']}>
      <label htmlFor={controlId} className={labelHidden ? text['srOnly'] : styles['label']}>
        {label}
      </label>
      {children({
        id: controlId,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': note ? `${controlId}-note` : undefined,
      })}
      {note && (
        <p id={`${controlId}-note`} className={error ? styles['error'] : styles['hint']}>
          {note}
        </p>
      )}
    </div>
  );
}

/** The class that all controls share. */
export const controlClass = styles['control'];
