import { chakra, Flex } from '@chakra-ui/react';
import { useLiveQuery } from '#src/local-data/live.ts';
import { ReceiptText, Search, SearchX } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OrderRow } from '#src/db/database.ts';
import { DrawerHead } from '#src/ui/drawer-head.tsx';
import { Drawer } from '#src/ui/drawer.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { loadLater } from '#src/ui/load-later.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { SaleDays } from './sale-rows.tsx';
import { recentSales, searchSales } from './sales.ts';
import { ServerSales } from './server-sales.tsx';

const RefundDialog = loadLater(async () => (await import('#src/refund/refund-dialog.tsx')).RefundDialog);

interface SalesDrawerProps {
  open: boolean;
  onClose: () => void;
  /** The text of the search at first. */
  search: string;
}

/** A wide window has room for the whole name of what was sold beside all that can be done with it. */
const width = 'clamp(42rem, 58vw, 52rem)';

export function SalesDrawer({ open, onClose, search }: SalesDrawerProps) {
  const { t } = useTranslation();
  return (
    <Drawer open={open} onClose={onClose} label={t('counter.sales.title')} side="end" width={width}>
      <Flex direction="column" height="full">
        <DrawerHead title={t('counter.sales.title')} closeLabel={t('counter.sales.close')} onClose={onClose} />
        <SaleList search={search} />
      </Flex>
    </Drawer>
  );
}

function SaleList({ search }: Pick<SalesDrawerProps, 'search'>) {
  const { t } = useTranslation();
  const [text, setText] = useState(search);
  const [refundOrder, setRefundOrder] = useState<OrderRow | null>(null);
  const query = text.trim();
  const sales = useLiveQuery(() => (query ? searchSales(query) : recentSales()), [query]);
  return (
    <>
      <chakra.div px="4" py="3" borderBottomWidth="1px" borderColor="border">
        <TextField
          type="search"
          data-takes-codes
          label={t('counter.sales.search')}
          labelHidden
          placeholder={t('counter.sales.search')}
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
          start={<Search size={20} />}
        />
      </chakra.div>
      <chakra.div
        flex="1"
        minHeight="0"
        mb="var(--toast-room, 0)"
        overflowY="auto"
        px="4"
        css={{ scrollbarWidth: 'thin' }}
      >
        {sales && sales.length > 0 && <SaleDays sales={sales} onRefund={setRefundOrder} />}
        {sales?.length === 0 && !query && (
          <EmptyState icon={<ReceiptText />} title={t('counter.sales.empty')} text={t('counter.sales.emptyText')} />
        )}
        {sales?.length === 0 && query && (
          <EmptyState icon={<SearchX />} title={t('counter.sales.noMatch')} text={t('counter.sales.noMatchText')} />
        )}
        {query && <ServerSales key={query} text={query} known={sales ?? []} onRefund={setRefundOrder} />}
      </chakra.div>
      <Suspense fallback={null}>
        {refundOrder && (
          <RefundDialog orderId={refundOrder.id} foreign={refundOrder} onClose={() => setRefundOrder(null)} />
        )}
      </Suspense>
    </>
  );
}
