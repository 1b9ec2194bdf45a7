import { chakra, Flex } from '@chakra-ui/react';
import { useLiveQuery } from 'dexie-react-hooks';
import { Printer, ReceiptText, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { MoneyText } from '../../../parts/money-text.tsx';
import { Whereabouts } from '../../../parts/whereabouts.tsx';
import { Button } from '../../../ui/button.tsx';
import { Drawer } from '../../../ui/drawer.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { openPaperTarget } from '../printing/paper-target.ts';
import { paperName, usePaperPrinter } from '../printing/use-paper-printer.ts';
import { useMoment } from '../use-moment.ts';
import { recentSales } from './recent-sales.ts';
import type { Sale } from './recent-sales.ts';

/** What was sold lately, each paper ready to be printed again. */
export function SalesDrawer({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Drawer open={open} onClose={onClose} label={t('counter.sales.title')} side="end" width="28rem">
      <Flex direction="column" height="full">
        <Flex
          align="center"
          justify="space-between"
          minHeight="16"
          flexShrink={0}
          ps="4"
          pe="2"
          borderBottomWidth="1px"
          borderColor="border"
        >
          <chakra.h2 fontSize="lg" fontWeight="semibold">
            {t('counter.sales.title')}
          </chakra.h2>
          <IconButton label={t('counter.sales.close')} onClick={onClose}>
            <X />
          </IconButton>
        </Flex>
        <SaleList />
      </Flex>
    </Drawer>
  );
}

function SaleList() {
  const { t } = useTranslation();
  const sales = useLiveQuery(recentSales, []);
  if (!sales) return null;
  if (sales.length === 0) {
    return <EmptyState icon={<ReceiptText />} title={t('counter.sales.empty')} text={t('counter.sales.emptyText')} />;
  }
  return (
    <chakra.ul flex="1" minHeight="0" overflowY="auto" px="4" listStyleType="none" css={{ scrollbarWidth: 'thin' }}>
      {sales.map((sale) => (
        <SaleRow key={sale.paper.id} sale={sale} />
      ))}
    </chakra.ul>
  );
}

function SaleRow({ sale }: { sale: Sale }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const print = usePaperPrinter();
  const { paper, order, unsent, amountMinor, issuedAtMs } = sale;
  const name = sale.kind === 'receipt' ? `${t('counter.sales.receipt')} ${order.number}` : paperName(paper);
  return (
    <chakra.li display="flex" alignItems="center" gap="3" py="3" borderBottomWidth="1px" borderColor="border">
      <Flex direction="column" flex="1" minWidth="0" gap="1">
        <Flex justify="space-between" gap="3">
          <chakra.span fontWeight="medium" fontVariantNumeric="tabular-nums" overflowWrap="anywhere">
            {name}
          </chakra.span>
          <MoneyText minor={amountMinor} currency={order.currency} fontWeight="semibold" />
        </Flex>
        <chakra.span fontSize="sm" color="fg.muted" overflowWrap="anywhere">
          {[moment(issuedAtMs), order.customerName].filter(Boolean).join(' · ')}
        </chakra.span>
        <Flex>
          <Whereabouts unsent={unsent} />
        </Flex>
      </Flex>
      <Button
        px="3"
        aria-label={t('counter.sales.reprintFor', { number: name })}
        onClick={() => void print(openPaperTarget(), paper, { isCopy: sale.fromElsewhere })}
      >
        <Printer />
        {t('counter.sales.reprint')}
      </Button>
    </chakra.li>
  );
}
