import { chakra } from '@chakra-ui/react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OrderRow } from '../../../db/database.ts';
import { Button } from '../../../ui/button.tsx';
import type { Sale } from './sales.ts';
import { SaleRows } from './sale-rows.tsx';

// What asks the server is loaded when somebody asks.
const searchServerSales = async (text: string, signal: AbortSignal): Promise<Sale[]> =>
  (await import('./search-server-sales.ts')).searchServerSales(text, signal);

/** What the server knows besides: a device keeps what was closed for a week. */
export function ServerSales({
  text,
  known,
  onRefund,
}: {
  text: string;
  known: Sale[];
  onRefund: (order: OrderRow) => void;
}) {
  const { t } = useTranslation();
  const [found, setFound] = useState<Sale[] | 'asking' | 'away' | null>(null);
  const ending = useRef(new AbortController());
  useEffect(() => {
    const end = new AbortController();
    ending.current = end;
    return () => end.abort();
  }, []);

  async function ask() {
    setFound('asking');
    const { signal } = ending.current;
    const answer = await searchServerSales(text, signal).catch(() => 'away' as const);
    if (!signal.aborted) setFound(answer);
  }

  if (found === null || found === 'asking') {
    return (
      <Button wide my="4" disabled={found === 'asking'} onClick={() => void ask()}>
        {found === 'asking' ? t('counter.sales.asking') : t('counter.sales.askServer')}
      </Button>
    );
  }
  const ids = new Set(known.map(({ paper }) => paper.id));
  const others = found === 'away' ? [] : found.filter(({ paper }) => !ids.has(paper.id));
  return (
    <chakra.div aria-live="polite" py="4">
      {others.length === 0 ? (
        <chakra.p color="fg.muted">
          {found === 'away' ? t('counter.sales.away') : t('counter.sales.noneThere')}
        </chakra.p>
      ) : (
        <>
          <chakra.h3 fontSize="sm" fontWeight="medium" color="fg.muted">
            {t('counter.sales.older')}
          </chakra.h3>
          <SaleRows sales={others} onRefund={onRefund} />
        </>
      )}
    </chakra.div>
  );
}
