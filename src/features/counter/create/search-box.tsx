import { Search, X } from 'lucide-react';
import type { KeyboardEvent, Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../ui/icon-button.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { KeyHint } from '../keyboard-shortcuts.tsx';

interface SearchBoxProps {
  text: string;
  onChange: (text: string) => void;
  onAddFirst: () => void;
  onEnterGrid: () => void;
  ref: Ref<HTMLInputElement>;
}

/** Searches services. Enter adds the first match, the down arrow moves into the grid, Escape clears the text. */
export function SearchBox({ text, onChange, onAddFirst, onEnterGrid, ref }: SearchBoxProps) {
  const { t } = useTranslation();
  function press(event: KeyboardEvent<HTMLInputElement>) {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return;
    const action = { Enter: onAddFirst, ArrowDown: onEnterGrid, Escape: () => onChange('') }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }
  return (
    <TextField
      ref={ref}
      type="search"
      label={t('counter.search.label')}
      labelHidden
      placeholder={t('counter.search.placeholder')}
      value={text}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={press}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      enterKeyHint="done"
      start={<Search size={20} />}
      css={{ '&::-webkit-search-cancel-button': { display: 'none' } }}
      end={
        text ? (
          <IconButton label={t('counter.search.clear')} onClick={() => onChange('')}>
            <X />
          </IconButton>
        ) : (
          <KeyHintInField />
        )
      }
    />
  );
}

function KeyHintInField() {
  return (
    <span style={{ marginInlineEnd: 12, pointerEvents: 'none' }}>
      <KeyHint keys={['/']} />
    </span>
  );
}
