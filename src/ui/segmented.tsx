import type { ReactNode } from 'react';
import { chooseByArrow } from './arrow-keys.ts';
import { classes } from './classes.ts';
import styles from './segmented.module.css';

export interface Segment<Value extends string> {
  value: Value;
  label: string;
  icon?: ReactNode;
  count?: number | undefined;
}

interface SegmentedProps<Value extends string> {
  /** Accessible name of the group. */
  label: string;
  value: Value;
  segments: Segment<Value>[];
  onChange: (value: Value) => void;
  /** `tabs` switch the content of the element `panelId`, which has `role="tabpanel"`; a `choice` sets a value. */
  kind?: 'tabs' | 'choice';
  panelId?: string;
  /** Places the count above the label, even if it is 0, so that the bar fits a phone. */
  stacked?: boolean;
}

const semantics = {
  tabs: { group: 'tablist', item: 'tab', chosen: 'aria-selected' },
  choice: { group: 'radiogroup', item: 'radio', chosen: 'aria-checked' },
} as const;

/** A bar of alternatives, of which one is chosen. Arrow keys move between them. */
export function Segmented<Value extends string>(props: SegmentedProps<Value>) {
  const { label, value, segments, onChange, kind = 'tabs', panelId, stacked = false } = props;
  const aria = semantics[kind];
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Its role is `tablist` or `radiogroup`.
    <div
      className={styles['bar']}
      data-kind={kind}
      data-stacked={stacked || undefined}
      role={aria.group}
      aria-label={label}
      onKeyDown={(event) =>
        chooseByArrow(event, { values: segments.map((segment) => segment.value), value, role: aria.item, onChange })
      }
    >
      {segments.map((segment) => {
        const chosen = segment.value === value;
        return (
          <button
            key={segment.value}
            type="button"
            role={aria.item}
            {...{ [aria.chosen]: chosen }}
            aria-controls={panelId}
            tabIndex={chosen ? 0 : -1}
            onClick={() => onChange(segment.value)}
            className={classes(styles['segment'], chosen && styles['chosen'])}
          >
            {segment.icon}
            {segment.label}
            {segment.count || (stacked && segment.count === 0) ? (
              <span className={styles['count']}>{segment.count}</span>
            ) : null}
          </button>
        );
      })}
    </div>
  );
}
