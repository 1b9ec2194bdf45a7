import { chakra, Flex } from '@chakra-ui/react';
import { useLiveQuery } from 'dexie-react-hooks';
import { ReceiptText, Search, SearchX, X } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OrderRow } from '../../../db/database.ts';
import { Drawer } from '../../../ui/drawer.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { findSales } from './find-sales.ts';
import { recentSales } from './recent-sales.ts';
import { SaleRows } from './sale-rows.tsx';
import { SalesElsewhere } from './sales-elsewhere.tsx';

const RefundDialog = lazy(async () => ({ default: (await import('../../../app/refund/refund-dialog.tsx')).RefundDialog }));

/** What was sold lately or is searched for, each paper ready to be printed again, and its money to be given back. */
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
  const [text, setText] = useState('');
  const [refunded, setRefunded] = useState<OrderRow | null>(null);
  const wanted = text.trim();
  const sales = useLiveQuery(() => (wanted ? findSales(wanted) : recentSales()), [wanted]);
  return (
    <>
      <chakra.div px="4" py="3" borderBottomWidth="1px" borderColor="border">
        <TextField
          type="search"
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
      <chakra.div flex="1" minHeight="0" overflowY="auto" px="4" css={{ scrollbarWidth: 'thin' }}>
        {sales && sales.length > 0 && <SaleRows sales={sales} onRefund={setRefunded} />}
        {sales?.length === 0 && !wanted && (
          <EmptyState icon={<ReceiptText />} title={t('counter.sales.empty')} text={t('counter.sales.emptyText')} />
        )}
        {sales?.length === 0 && wanted && <EmptyState icon={<SearchX />} title={t('counter.sales.noMatch')} text={t('counter.sales.noMatchText')} />}
        {wanted && <SalesElsewhere key={wanted} text={wanted} known={sales ?? []} onRefund={setRefunded} />}
      </chakra.div>
      <Suspense fallback={null}>
        {refunded && <RefundDialog orderId={refunded.id} foreign={refunded} onClose={() => setRefunded(null)} />}
      </Suspense>
    </>
  );
}
