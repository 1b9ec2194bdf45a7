import styles from './parts.module.css';

/** Shows facts in one line, or in several that break between them; no line begins or ends with a separator. */
export function Parts({ parts }: { parts: readonly (string | null | undefined | false)[] }) {
  return (
    <span className={styles['clip']}>
      <span className={styles['parts']}>
        {parts.filter(Boolean).map((part, at) => (
          <span key={`${at} ${String(part)}`} className={styles['part']}>
            {at > 0 && <span className={styles['separator']}>{' · '}</span>}
            {part}
          </span>
        ))}
      </span>
    </span>
  );
}
