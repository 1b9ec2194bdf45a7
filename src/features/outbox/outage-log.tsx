import { chakra, Flex } from '@chakra-ui/react';
import { useLiveQuery } from '#src/local-data/live.ts';
import { CloudOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { intlTag } from '#src/ui/intl-tag.ts';
import { db } from '#src/local-data/database.ts';
import { listOutages } from '#src/db/queries/tray.ts';
import { MoneyText } from '#src/formats/money.tsx';
import { Badge } from '#src/ui/badge.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { duration } from '#src/formats/duration.ts';
import { useMoment } from '#src/formats/use-formats.ts';

const columns = { base: 'minmax(0, 1fr) auto', md: 'minmax(0, 1.4fr) minmax(0, 1.4fr) 1fr 7rem 9rem' };
const refreshMs = 10_000;

export function OutageLog({ currency }: { currency: string }) {
  const { t, i18n } = useTranslation();
  const moment = useMoment();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), refreshMs);
    return () => clearInterval(timer);
  }, []);
  const outages = useLiveQuery(() => listOutages(db, Math.max(now, Date.now())), [now]);
  if (!outages) return null;
  if (outages.length === 0) {
    return <EmptyState icon={<CloudOff />} title={t('outbox.outages.empty')} text={t('outbox.outages.emptyText')} />;
  }
  return (
    <section aria-labelledby="outbox-outages">
      <chakra.h2 id="outbox-outages" fontSize="lg" fontWeight="semibold">
        {t('outbox.outages.title')}
      </chakra.h2>
      <chakra.p color="fg.muted" fontSize="sm">
        {t('outbox.outages.text')}
      </chakra.p>
      <chakra.div
        aria-hidden
        display={{ base: 'none', md: 'grid' }}
        gridTemplateColumns={columns}
        columnGap="6"
        mt="2"
        py="2"
        fontSize="sm"
        color="fg.muted"
        borderBottomWidth="1px"
        borderColor="border"
      >
        {(['from', 'to', 'length', 'sales', 'money'] as const).map((column) => (
          <chakra.span key={column} textAlign={column === 'money' ? 'end' : 'start'}>
            {t(`outbox.outages.columns.${column}`)}
          </chakra.span>
        ))}
      </chakra.div>
      <chakra.ul listStyleType="none" fontVariantNumeric="tabular-nums">
        {outages.map(({ started_at, ended_at, sales, amount_minor }) => {
          const length = duration((ended_at ?? Math.max(now, started_at)) - started_at, intlTag(i18n.language));
          return (
            <chakra.li
              key={started_at}
              display="grid"
              gridTemplateColumns={columns}
              columnGap="6"
              alignItems="center"
              minHeight="14"
              py="2"
              borderBottomWidth="1px"
              borderColor="border"
            >
              <span>
                {moment(started_at)}
                <chakra.span hideFrom="md">
                  {' '}
                  – {ended_at === null ? t('outbox.outages.now') : moment(ended_at)}
                </chakra.span>
              </span>
              <chakra.span hideBelow="md">
                {ended_at === null ? <Badge tone="due">{t('outbox.outages.now')}</Badge> : moment(ended_at)}
              </chakra.span>
              <chakra.span
                order={{ base: 3, md: 0 }}
                fontSize={{ base: 'sm', md: 'md' }}
                color={{ base: 'fg.muted', md: 'fg' }}
              >
                {length}
              </chakra.span>
              <chakra.span
                order={{ base: 4, md: 0 }}
                fontSize={{ base: 'sm', md: 'md' }}
                textAlign={{ base: 'end', md: 'start' }}
                color={{ base: 'fg.muted', md: sales === 0 ? 'fg.muted' : 'fg' }}
              >
                {sales === 0 ? t('outbox.outages.none') : t('outbox.outages.sales', { count: sales })}
              </chakra.span>
              <Flex justify="flex-end">
                {sales > 0 && <MoneyText minor={amount_minor} currency={currency} fontWeight="medium" />}
              </Flex>
            </chakra.li>
          );
        })}
      </chakra.ul>
    </section>
  );
}
