import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './banner.module.css';
import { IconButton } from './icon-button.tsx';
import { toneVariables } from './tone.ts';
import type { Tone } from './tone.ts';

const icons = {
  neutral: Info,
  accent: Info,
  due: TriangleAlert,
  low: TriangleAlert,
  paid: CircleCheck,
  refused: CircleAlert,
  blue: Info,
  violet: Info,
};

interface BannerProps {
  tone?: Tone;
  title?: string | undefined;
  children?: ReactNode;
  actions?: ReactNode;
  /** Button that closes the banner; none if omitted. */
  dismiss?: { label: string; onClick: () => void } | undefined;
}

/** A message that stays while its cause lasts. Screen readers announce the tone `refused` at once, others politely. */
export function Banner({ tone = 'neutral', title, children, actions, dismiss }: BannerProps) {
  const Icon = icons[tone];
  return (
    <div className={styles['banner']} style={toneVariables(tone)} role={tone === 'refused' ? 'alert' : 'status'}>
      <div className={styles['icon']} aria-hidden>
        <Icon size={20} />
      </div>
      <div className={styles['body']}>
        {title && <p className={styles['title']}>{title}</p>}
        {children && <div className={styles['text']}>{children}</div>}
        {actions && <div className={styles['actions']}>{actions}</div>}
      </div>
      {dismiss && (
        <IconButton className={styles['dismiss']} label={dismiss.label} onClick={dismiss.onClick}>
          <X />
        </IconButton>
      )}
    </div>
  );
}
