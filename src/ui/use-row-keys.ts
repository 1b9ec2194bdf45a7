import { useState } from 'react';
import type { FocusEvent, KeyboardEvent } from 'react';

export type RowKey = string | number;

export interface Selection {
  chosen: ReadonlySet<RowKey>;
  onChange: (chosen: ReadonlySet<RowKey>) => void;
}

/** Returns the set with a member added, or taken out. */
export function toggled<Member>(set: ReadonlySet<Member>, member: Member): ReadonlySet<Member> {
  const after = new Set(set);
  if (!after.delete(member)) after.add(member);
  return after;
}

interface RowKeys<Row> {
  rows: readonly Row[];
  rowKey: (row: Row) => RowKey;
  onOpen: ((row: Row) => void) | undefined;
  selection: Selection | undefined;
}

/**
 * Makes the rows of a table one stop of the Tab key. There the arrows, Home and End move from row to row, with Shift they
 * select on the way; Enter opens, Space selects, Escape drops the selection. Keys in the controls of a row are theirs.
 */
export function useRowKeys<Row>({ rows, rowKey, onOpen, selection }: RowKeys<Row>) {
  const [at, setAt] = useState<RowKey | null>(null);
  const keys = rows.map(rowKey);
  const stop = at !== null && keys.includes(at) ? at : keys[0];
  function press(event: KeyboardEvent<HTMLElement>) {
    const row = event.target as HTMLElement;
    const index = Number(row.dataset['row']);
    if (row.dataset['row'] === undefined || !(index in rows)) return;
    const step = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: rows.length - 1 }[event.key];
    const next = step === undefined ? undefined : Math.min(Math.max(step, 0), rows.length - 1);
    if (next !== undefined) {
      event.currentTarget.querySelector<HTMLElement>(`[data-row="${next}"]`)?.focus();
      if (event.shiftKey && selection) selection.onChange(new Set([...selection.chosen, keys[index]!, keys[next]!]));
    } else if (event.key === 'Enter' && onOpen) onOpen(rows[index]!);
    else if (event.key === ' ' && selection) selection.onChange(toggled(selection.chosen, keys[index]!));
    else if (event.key === 'Escape' && selection?.chosen.size) selection.onChange(new Set());
    else return;
    event.preventDefault();
  }
  const rowProps = (row: Row, index: number) => ({
    'data-row': index,
    tabIndex: rowKey(row) === stop ? 0 : -1,
    'aria-selected': selection && selection.chosen.has(rowKey(row)),
    onFocus: (event: FocusEvent) => {
      if (event.target === event.currentTarget) setAt(rowKey(row));
    },
  });
  return { press, rowProps };
}
