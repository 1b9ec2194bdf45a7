import { chakra, Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import type { Analytics } from '#domain/report/resources.ts';
import { paymentMethods } from '#domain/order/vocabulary.ts';
import { minorFromWire, shareOf } from '#domain/money.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { useMoney } from '#src/formats/money.tsx';
import { Panel } from '#src/ui/panel.tsx';
import { RankedRows } from '#src/ui/ranked-rows.tsx';
import { EmptyNote, Rows, SkeletonRows } from '#src/ui/panel-rows.tsx';
import { ShareBar, shareColours } from '#src/ui/chart/share-bar.tsx';

/** Revenue of each treatment type with its share of the total. */
export function SalesByType({ analytics }: { analytics: Analytics | undefined }) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const money = useMoney();
  return (
    <Panel title={t('reports.byType.title')}>
      <RankedRows
        rows={analytics?.byType.map(({ type, count, revenue, share }) => ({
          key: type,
          name: t(`counter.types.${type}`),
          value: money(revenue),
          notes: [t('reports.orderCount', { count }), formats.percent(share)],
          share: share / 100,
        }))}
        empty={t('reports.byType.empty')}
      />
    </Panel>
  );
}

/** Products with the highest revenue. The bar of each is relative to the first. */
export function TopProducts({ analytics }: { analytics: Analytics | undefined }) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const money = useMoney();
  const most = analytics?.topProducts[0]?.revenue ?? 0;
  return (
    <Panel title={t('reports.top.title')}>
      <RankedRows
        rows={analytics?.topProducts.map(({ name, quantity, revenue }, place) => ({
          // Names are not unique.
          key: String(place),
          name,
          value: money(revenue),
          notes: [t('reports.top.sold', { quantity: formats.quantity(quantity) }), ''],
          share: most > 0 ? revenue / most : 0,
        }))}
        empty={t('reports.top.empty')}
      />
    </Panel>
  );
}

/** Amount and share of each payment method. */
export function PaymentMethods({ analytics }: { analytics: Analytics | undefined }) {
  const { t } = useTranslation();
  return (
    <Panel title={t('reports.methods.title')}>
      {!analytics ? (
        <SkeletonRows rows={4} />
      ) : analytics.byMethod.length === 0 ? (
        <EmptyNote>{t('reports.methods.empty')}</EmptyNote>
      ) : (
        <Methods byMethod={analytics.byMethod} />
      )}
    </Panel>
  );
}

function Methods({ byMethod }: { byMethod: Analytics['byMethod'] }) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const money = useMoney();
  // Includes methods without payments, so that each keeps its position and colour.
  const methods = paymentMethods.map((method) => ({
    method,
    ...(byMethod.find((each) => each.method === method) ?? { amount: 0, count: 0 }),
  }));
  const whole = methods.reduce((sum, { amount }) => sum + Math.max(0, minorFromWire(amount)), 0);
  return (
    <>
      <chakra.div px="4" pb="4">
        <ShareBar parts={methods.map(({ method, amount }) => ({ key: method, value: amount }))} />
      </chakra.div>
      <Rows>
        {methods.map(({ method, amount, count }, index) => (
          <li key={method}>
            <Flex align="baseline" gap="3" fontVariantNumeric="tabular-nums">
              <chakra.span
                aria-hidden
                width="3"
                height="3"
                borderRadius="full"
                flexShrink={0}
                bg={shareColours[index]}
              />
              <chakra.span flex="1" minWidth="0">
                <chakra.span fontWeight="medium">{t(`counter.methods.${method}`)}</chakra.span>
                <chakra.span display="block" fontSize="sm" color="fg.muted">
                  {t('reports.methods.payments', { count })}
                </chakra.span>
              </chakra.span>
              <chakra.span textAlign="end">
                {money(amount)}
                <chakra.span display="block" fontSize="sm" color="fg.muted">
                  {formats.percent(shareOf(Math.max(0, minorFromWire(amount)), whole, 1))}
                </chakra.span>
              </chakra.span>
            </Flex>
          </li>
        ))}
      </Rows>
    </>
  );
}
