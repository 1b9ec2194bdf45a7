import { chakra } from '@chakra-ui/react';
import { Trash2, X } from 'lucide-react';
import { useState } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../ui/icon-button.tsx';
import { StyledButton } from '../ui/styled.tsx';
import type { RowChange } from './row-changes.tsx';

/** An action on the selected rows. */
export interface BulkAction<Row> {
  key: string;
  label: string;
  icon: ReactNode;
  /** The change, or a dialog that asks for it. */
  change?: RowChange<Row>;
  dialog?: (dialog: BulkDialog<Row>) => ReactNode;
}

export interface BulkDialog<Row> {
  /** The rows as they were when it was opened: what it shows is what is decided. */
  rows: readonly Row[];
  onClose: () => void;
  run: (change: RowChange<Row>) => void;
}

/** What can be done with the selected rows, and how many they are. */
export function BulkBar<Row>({
  rows,
  bulk,
  isRunning,
  run,
  onDelete,
  onClear,
}: {
  rows: readonly Row[];
  bulk: readonly BulkAction<Row>[];
  isRunning: boolean;
  run: (rows: readonly Row[], change: RowChange<Row>) => void;
  onDelete: (() => void) | undefined;
  onClear: () => void;
}) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState<{ key: string; rows: readonly Row[] } | null>(null);
  const close = () => setAsking(null);
  return (
    <chakra.section
      aria-label={t('list.selection')}
      display="flex"
      alignItems="center"
      gap={{ base: '1', md: '2' }}
      width="full"
      overflowX="auto"
      // Room for the focus rings.
      m="-1"
      p="1"
    >
      <IconButton label={t('list.clearSelection')} onClick={onClear}>
        <X />
      </IconButton>
      <chakra.output fontWeight="medium" whiteSpace="nowrap" fontVariantNumeric="tabular-nums" pe="2">
        <chakra.span hideBelow="md">{t('list.selected', { count: rows.length })}</chakra.span>
        <chakra.span hideFrom="md">
          <span aria-hidden>{rows.length}</span>
          <chakra.span srOnly>{t('list.selected', { count: rows.length })}</chakra.span>
        </chakra.span>
      </chakra.output>
      {bulk.map(({ key, label, icon, change }) => (
        <BarButton
          key={key}
          label={label}
          icon={icon}
          disabled={isRunning}
          onClick={() => (change ? run(rows, change) : setAsking({ key, rows }))}
        />
      ))}
      {onDelete && (
        <BarButton
          variant="dangerQuiet"
          label={t('list.delete')}
          icon={<Trash2 />}
          disabled={isRunning}
          onClick={onDelete}
        />
      )}
      {asking &&
        bulk
          .find(({ key }) => key === asking.key)
          ?.dialog?.({ rows: asking.rows, run: (change) => run(asking.rows, change), onClose: close })}
    </chakra.section>
  );
}

/** A button of the bar. On a phone the signs alone stand in one line. */
function BarButton({
  label,
  icon,
  ...rest
}: Omit<ComponentProps<typeof StyledButton>, 'children'> & { label: string; icon: ReactNode }) {
  return (
    <StyledButton
      {...rest}
      title={label}
      css={{ '@media not all and (min-width: 48rem)': { paddingInline: '0', width: '3rem' } }}
    >
      {icon}
      <chakra.span hideBelow="md">{label}</chakra.span>
    </StyledButton>
  );
}
