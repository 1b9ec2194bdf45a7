import { Search, X } from 'lucide-react';
import type { KeyboardEvent, Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { KeyHint } from '../keyboard-shortcuts.tsx';
import styles from './search-box.module.css';

interface SearchBoxProps {
  text: string;
  onChange: (text: string) => void;
  onAddFirst: () => void;
  onEnterGrid: () => void;
  ref: Ref<HTMLInputElement>;
}

// Constant, so that React renders them once and not with every key.
const lens = <Search size={20} className={styles['lens']} aria-hidden />;
const cross = <X size={20} />;
const keyHint = (
  <span className={styles['hint']}>
    <KeyHint keys={['/']} />
  </span>
);

/** Searches services. Enter adds the first match, the down arrow moves into the grid, Escape clears the text. */
export function SearchBox({ text, onChange, onAddFirst, onEnterGrid, ref }: SearchBoxProps) {
  const { t } = useTranslation();
  const clear = t('counter.search.clear');
  function press(event: KeyboardEvent<HTMLInputElement>) {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return;
    const action = { Enter: onAddFirst, ArrowDown: onEnterGrid, Escape: () => onChange('') }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }
  return (
    <div className={styles['box']}>
      {lens}
      <input
        ref={ref}
        className={styles['input']}
        type="search"
        aria-label={t('counter.search.label')}
        placeholder={t('counter.search.placeholder')}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={press}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="done"
      />
      {text ? (
        <button type="button" className={styles['clear']} aria-label={clear} title={clear} onClick={() => onChange('')}>
          {cross}
        </button>
      ) : (
        keyHint
      )}
    </div>
  );
}
