import { chakra } from '@chakra-ui/react';
import { StyledButton } from '#src/ui/styled.tsx';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OrderRow } from '#src/db/database.ts';
import type { Sale } from './sales.ts';
import { SaleDays } from './sale-rows.tsx';

// The code that calls the server loads with the first search.
const searchServerSales = async (text: string, signal: AbortSignal): Promise<Sale[]> =>
  (await import('./search-server-sales.ts')).searchServerSales(text, signal);

/** Searches sales on the server, because a device keeps closed treatments for a week only. */
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
  const [result, setResult] = useState<Sale[] | 'loading' | 'away' | null>(null);
  const controller = useRef(new AbortController());
  useEffect(() => {
    const current = new AbortController();
    controller.current = current;
    return () => current.abort();
  }, []);

  async function search() {
    setResult('loading');
    const { signal } = controller.current;
    const answer = await searchServerSales(text, signal).catch(() => 'away' as const);
    if (!signal.aborted) setResult(answer);
  }

  if (result === null || result === 'loading') {
    return (
      <StyledButton wide my="4" disabled={result === 'loading'} onClick={() => void search()}>
        {result === 'loading' ? t('counter.sales.asking') : t('counter.sales.askServer')}
      </StyledButton>
    );
  }
  const ids = new Set(known.map(({ document }) => document.id));
  const others = result === 'away' ? [] : result.filter(({ document }) => !ids.has(document.id));
  return (
    <chakra.div aria-live="polite" py="4">
      {others.length === 0 ? (
        <chakra.p color="fg.muted">
          {result === 'away' ? t('counter.sales.away') : t('counter.sales.noneThere')}
        </chakra.p>
      ) : (
        <>
          <chakra.h3 fontSize="sm" fontWeight="medium" color="fg.muted">
            {t('counter.sales.older')}
          </chakra.h3>
          <SaleDays sales={others} onRefund={onRefund} />
        </>
      )}
    </chakra.div>
  );
}
