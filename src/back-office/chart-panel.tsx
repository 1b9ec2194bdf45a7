import { chakra } from '@chakra-ui/react';
import { ChartColumn, Table2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor, minorFromWire } from '#domain/money.ts';
import { numberFormat } from '#domain/number-format.ts';
import { useCurrency } from '../local-data/use-clinic-settings.ts';
import { ColumnChart } from '../ui/chart/column-chart.tsx';
import type { ChartPoint } from '../ui/chart/column-chart.tsx';
import { EmptyNote, SkeletonRows } from '../ui/panel-rows.tsx';
import { Panel } from '../ui/panel.tsx';
import { StyledIconButton } from '../ui/styled.tsx';

interface ChartPanelProps {
  title: string;
  /** Table heading of the point names. */
  pointHead: string;
  /** Headings of each point's cells. */
  heads: readonly string[];
  /** Undefined while loading. */
  points: readonly ChartPoint[] | undefined;
  /** Shown if all values are 0. */
  empty: string;
  /** A wire amount, drawn as a line. */
  target?: number | undefined;
  /** The name of what the points are compared with. */
  comparedName?: string | undefined;
}

/** Axis labels omit the currency, which the name of the axis has. */
const axisNumber = numberFormat({ maximumFractionDigits: 0 });

/** Shows amounts (in API units) as a chart, or as a table, which screen readers always get. */
export function ChartPanel({ title, pointHead, heads, points, empty, target, comparedName }: ChartPanelProps) {
  const { t } = useTranslation();
  const currency = currencyLabel(useCurrency());
  const [asTable, setAsTable] = useState(false);
  const isEmpty = points?.every(({ value }) => value === 0);
  return (
    <Panel
      title={title}
      action={
        points &&
        !isEmpty && (
          <StyledIconButton
            size="sm"
            label={t(asTable ? 'chart.asChart' : 'chart.asTable', { title })}
            color="fg.muted"
            onClick={() => setAsTable(!asTable)}
          >
            {asTable ? <ChartColumn /> : <Table2 />}
          </StyledIconButton>
        )
      }
    >
      {!points ? (
        // As high as a chart with its axes and its key.
        <chakra.div minHeight={comparedName ? '19.796875rem' : undefined}>
          <SkeletonRows rows={4} />
        </chakra.div>
      ) : isEmpty ? (
        <EmptyNote>{empty}</EmptyNote>
      ) : (
        <>
          {!asTable && (
            <ColumnChart
              points={points}
              heads={heads}
              axisText={(amount) => axisNumber.format(amount)}
              smallestStep={1}
              axes={{ value: `${heads[0]} (${currency})`, point: pointHead }}
              target={
                target === undefined
                  ? undefined
                  : { value: target, name: t('chart.target', { amount: formatMinor(minorFromWire(target), currency) }) }
              }
              comparedName={comparedName}
            />
          )}
          <PointTable title={title} pointHead={pointHead} heads={heads} points={points} seen={asTable} />
        </>
      )}
    </Panel>
  );
}

const Cell = chakra('td', {
  base: { px: '4', py: '2', textAlign: 'end', fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' },
});
const Head = chakra('th', {
  base: { px: '4', py: '2', fontWeight: 'medium', color: 'fg.muted', textAlign: 'end', whiteSpace: 'nowrap' },
});

function PointTable({
  title,
  pointHead,
  heads,
  points,
  seen,
}: {
  title: string;
  pointHead: string;
  heads: readonly string[];
  points: readonly ChartPoint[];
  seen: boolean;
}) {
  return (
    <chakra.div srOnly={!seen} {...(seen && { maxHeight: '16rem', overflow: 'auto', tabIndex: 0, pb: '2' })}>
      <chakra.table width="full" fontSize="sm" css={{ borderCollapse: 'collapse' }}>
        <chakra.caption srOnly>{title}</chakra.caption>
        <thead>
          <tr>
            <Head scope="col" textAlign="start">
              {pointHead}
            </Head>
            {heads.map((head) => (
              <Head key={head} scope="col">
                {head}
              </Head>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.map(({ key, name, cells }) => (
            <chakra.tr key={key} borderTopWidth="1px" borderColor="border">
              <Head scope="row" textAlign="start" color="fg">
                {name}
              </Head>
              {heads.map((head, index) => (
                <Cell key={head}>{cells[index]}</Cell>
              ))}
            </chakra.tr>
          ))}
        </tbody>
      </chakra.table>
    </chakra.div>
  );
}
