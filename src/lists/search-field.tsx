import { Search, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../ui/icon-button.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { StyledTextField } from '../ui/styled.tsx';

interface SearchFieldProps {
  label: string;
  value: string;
  onChange: (text: string) => void;
  /** True while the typed text is not applied yet. */
  isPending?: boolean;
  maxLength?: number;
  error?: string | undefined;
}

/** Searches a back-office list. The text applies half a second after the last key: see `useList`. */
export function SearchField({ label, value, onChange, isPending = false, maxLength = 200, error }: SearchFieldProps) {
  const { t } = useTranslation();
  return (
    <StyledTextField
      type="search"
      data-takes-codes
      label={label}
      labelHidden
      placeholder={label}
      value={value}
      maxLength={maxLength}
      error={error}
      onChange={(event) => onChange(event.target.value)}
      autoComplete="off"
      spellCheck={false}
      enterKeyHint="search"
      start={isPending ? <Spinner size={20} /> : <Search size={20} />}
      css={{ '&::-webkit-search-cancel-button': { display: 'none' } }}
      end={
        value && (
          <IconButton label={t('list.clearSearch')} onClick={() => onChange('')}>
            <X />
          </IconButton>
        )
      }
    />
  );
}
