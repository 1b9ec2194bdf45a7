import { chakra, Flex } from '@chakra-ui/react';
import { Banknote } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ExpenseResource } from '#domain/expense/resources.ts';
import { shownStatus } from '#domain/expense/rules.ts';
import type { ExpenseStatus } from '#domain/expense/vocabulary.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import type { Column } from '#src/ui/columns.ts';
import { desk, oneLineAtDesk } from '#src/ui/desk.ts';
import { Badge } from '#src/ui/badge.tsx';
import { SecondLine } from '#src/ui/second-line.tsx';
import { visuallyHidden } from '#src/ui/visually-hidden.ts';
import type { Tone } from '#src/ui/tone.ts';
import { ReceiptLink } from './expense-actions.tsx';
import type { OnExpenseAction } from './expense-actions.tsx';
import { useMoney } from '#src/formats/money.tsx';

/** A text of two lines at most, at a desk of one. */
const Clamped = chakra('span', {
  base: {
    lineClamp: '2',
    overflowWrap: 'anywhere',
    [desk]: { lineClamp: 'none', display: 'block', ...oneLineAtDesk[desk] },
  },
});

/** Width in rem from which the description has a column of its own. In a narrower place it stands below the title. */
const descriptionColumnFrom = 60;
/** The same of the category, which stands below the amount. */
const categoryColumnFrom = 52;
/** The same of who submitted and who decided, who stand below day and status. */
const peopleColumnsFrom = 66;

/** Returns the table columns and the phone card of an expense. */
export function useExpenseViews(onAction: OnExpenseAction): {
  columns: Column<ExpenseResource>[];
  card: (expense: ExpenseResource) => ReactNode;
} {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const amount = useMoney();
  const columns: Column<ExpenseResource>[] = [
    {
      key: 'title',
      header: t('expenses.columns.title'),
      sortable: true,
      width: '34%',
      wideWidth: { from: descriptionColumnFrom, width: '24%' },
      cell: (expense) => (
        <>
          <Clamped fontWeight="medium" title={expense.title}>
            {expense.title}
          </Clamped>
          <chakra.div
            color="fg.muted"
            css={{ [`@container (min-width: ${descriptionColumnFrom}rem)`]: { display: 'none' } }}
          >
            <Description expense={expense} onAction={onAction} isBrief />
          </chakra.div>
        </>
      ),
    },
    {
      key: 'description',
      header: t('expenses.columns.description'),
      width: '18%',
      from: descriptionColumnFrom,
      cell: (expense) => <Description expense={expense} onAction={onAction} />,
    },
    {
      key: 'amount',
      header: t('expenses.columns.amount'),
      numeric: true,
      sortable: true,
      cell: (expense) => (
        <>
          {amount(expense.amount)}
          <SecondLine until={categoryColumnFrom}>{t(`expenses.categories.${expense.category}`)}</SecondLine>
        </>
      ),
    },
    {
      key: 'category',
      header: t('expenses.columns.category'),
      sortable: true,
      from: categoryColumnFrom,
      cell: ({ category }) => (
        <chakra.span css={{ [desk]: { whiteSpace: 'nowrap' } }}>{t(`expenses.categories.${category}`)}</chakra.span>
      ),
    },
    {
      key: 'expense_date',
      header: t('expenses.columns.date'),
      sortable: true,
      cell: ({ expense_date, Submitter }) => (
        <>
          <chakra.span whiteSpace="nowrap">{formats.day(expense_date)}</chakra.span>
          <SecondLine until={peopleColumnsFrom}>{Submitter?.name ?? t('expenses.unknown')}</SecondLine>
        </>
      ),
    },
    {
      key: 'status',
      header: t('expenses.columns.status'),
      sortable: true,
      cell: ({ status, Approver }) => (
        <>
          <StatusBadge status={status} />
          {shownStatus(status) === 'approved' && (
            <SecondLine until={peopleColumnsFrom}>{Approver?.name ?? t('expenses.unknown')}</SecondLine>
          )}
        </>
      ),
    },
    {
      key: 'submitter',
      header: t('expenses.columns.submittedBy'),
      width: '10%',
      from: peopleColumnsFrom,
      cell: ({ Submitter }) => <Clamped>{Submitter?.name ?? t('expenses.unknown')}</Clamped>,
    },
    {
      key: 'approver',
      header: t('expenses.columns.approvedBy'),
      width: '12%',
      from: peopleColumnsFrom,
      cell: (expense) => <Approval expense={expense} />,
    },
  ];
  return { columns, card: (expense) => <ExpenseCard expense={expense} onAction={onAction} /> };
}

interface ViewProps {
  expense: ExpenseResource;
  onAction: OnExpenseAction;
}

/** Description with notes, drawer badge and receipt link below, which have no columns of their own. */
function Description({ expense, onAction, isBrief = false }: ViewProps & { isBrief?: boolean }) {
  const { description, notes } = expense;
  return (
    <chakra.div
      minWidth="6.75rem"
      title={[description, notes].filter(Boolean).join('\n')}
      css={{
        ...(isBrief && { '& > span': { WebkitLineClamp: '1' } }),
        [desk]: {
          ...oneLineAtDesk[desk],
          display: 'flex',
          alignItems: 'center',
          columnGap: '{spacing.2}',
          // The description ends where the signs behind it begin.
          '& > span': { width: 'auto', minWidth: '0' },
        },
      }}
    >
      <Clamped>{description}</Clamped>
      {notes && <Clamped color="fg.muted">{notes}</Clamped>}
      <Flex gap="2" wrap="wrap" align="center" flexShrink={0}>
        <DrawerBadge expense={expense} />
        <ReceiptLink expense={expense} onAction={onAction} />
      </Flex>
    </chakra.div>
  );
}

/** Name of the approver, or that there is none. The reason of a rejection is in the dialog of the row. */
function Approval({ expense: { status, Approver, rejection_reason } }: { expense: ExpenseResource }) {
  const { t } = useTranslation();
  const shown = shownStatus(status);
  if (shown === 'approved') return <Clamped>{Approver?.name ?? t('expenses.unknown')}</Clamped>;
  if (shown === 'pending')
    return (
      <chakra.span color="fg.muted" whiteSpace="nowrap">
        {t('expenses.notApproved')}
      </chakra.span>
    );
  return (
    <chakra.span color="fg.muted" whiteSpace="nowrap" title={rejection_reason ?? undefined}>
      {t('expenses.rejected')}
      {rejection_reason && <chakra.span srOnly>{` · ${rejection_reason}`}</chakra.span>}
    </chakra.span>
  );
}

function ExpenseCard({ expense, onAction }: ViewProps) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const amount = useMoney();
  const { title, category, expense_date, status, Submitter, Approver, rejection_reason } = expense;
  const decided = {
    pending: null,
    approved: t('expenses.card.approved', { name: Approver?.name ?? t('expenses.unknown') }),
    rejected: t('expenses.card.rejected', { reason: rejection_reason ?? '' }),
  }[shownStatus(status)];
  return (
    <Flex direction="column" gap="2">
      <Flex gap="3" align="flex-start" justify="space-between">
        <chakra.h3 flex="1" minWidth="0" fontWeight="medium" overflowWrap="anywhere">
          {title}
        </chakra.h3>
        <chakra.span fontWeight="semibold" fontVariantNumeric="tabular-nums" whiteSpace="nowrap">
          {amount(expense.amount)}
        </chakra.span>
      </Flex>
      <chakra.div fontSize="sm">
        <Description expense={expense} onAction={onAction} />
      </chakra.div>
      <Flex align="center" justify="space-between" gap="2" wrap="wrap" fontSize="sm" color="fg.muted">
        <span>{`${t(`expenses.categories.${category}`)} · ${formats.day(expense_date)}`}</span>
        <StatusBadge status={status} />
      </Flex>
      <chakra.div fontSize="sm" color="fg.muted" overflowWrap="anywhere">
        <p>{t('expenses.card.submitted', { name: Submitter?.name ?? t('expenses.unknown') })}</p>
        {decided && <p>{decided}</p>}
      </chakra.div>
    </Flex>
  );
}

/** @param isSaid true where there is room for the words */
export function DrawerBadge({ expense, isSaid = false }: { expense: ExpenseResource; isSaid?: boolean }) {
  const { t } = useTranslation();
  if (!expense.paid_from_drawer) return null;
  return (
    <Badge title={t('expenses.drawer.badge')}>
      <Banknote aria-hidden />
      <chakra.span css={isSaid ? {} : { [desk]: visuallyHidden }}>{t('expenses.drawer.badge')}</chakra.span>
    </Badge>
  );
}

const tones: Record<ExpenseStatus, Tone> = { pending: 'due', approved: 'paid', rejected: 'refused' };

export function StatusBadge({ status }: { status: string }) {
  const { t } = useTranslation();
  const shown = shownStatus(status);
  return <Badge tone={tones[shown]}>{t(`expenses.status.${shown}`)}</Badge>;
}
