import { chakra, Flex } from '@chakra-ui/react';
import { useState } from 'react';
import { labelInterval, scaleOf } from './scale.ts';
import type { Scale } from './scale.ts';

/** A column of a chart. */
export interface ChartPoint {
  key: string;
  /** Short label below the column, shown if there is space. */
  tick: string;
  /** Full label, shown in the note of the column. */
  name: string;
  value: number;
  /** The value that this one is compared with, drawn behind it; null without one. */
  compared?: number | null | undefined;
  /** Texts of the note, one for each of the chart's `heads`. */
  cells: readonly string[];
}

interface ColumnChartProps {
  points: readonly ChartPoint[];
  heads: readonly string[];
  /** Formats a value of the axis. */
  axisText: (value: number) => string;
  /** Smallest distance between two grid lines, in the unit of the values. */
  smallestStep: number;
  /** The names of the axes. */
  axes: { value: string; point: string };
  /** A line across the columns, with its name. */
  target?: { value: number; name: string } | undefined;
  /** The name of what the columns are compared with. */
  comparedName?: string | undefined;
}

const part = (share: number): string => `${share * 100}%`;

/**
 * A column chart made of boxes, at a hundredth of the size of a charting library and in the theme's colours. Touching a
 * column shows a note with its values. Screen readers skip the chart, so a table must stand beside it.
 */
export function ColumnChart({ points, heads, axisText, smallestStep, axes, target, comparedName }: ColumnChartProps) {
  const [touched, setTouched] = useState<string | null>(null);
  const axis = scaleOf([...points.flatMap(({ value, compared }) => [value, compared ?? 0]), target?.value ?? 0], {
    smallest: smallestStep,
  });
  const interval = labelInterval(points.length);
  const at = points.findIndex(({ key }) => key === touched);
  return (
    <chakra.div
      aria-hidden
      px="4"
      pb="4"
      fontSize="sm"
      color="fg.muted"
      fontVariantNumeric="tabular-nums"
      lineHeight="tight"
    >
      <chakra.p mb="3">{axes.value}</chakra.p>
      <Flex gap="3">
        <Axis axis={axis} text={axisText} />
        <chakra.div flex="1" minWidth="0">
          <chakra.div
            position="relative"
            height="48"
            // A finger leaves when it is lifted, and what it showed has to be read.
            onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setTouched(null)}
          >
            <Lines axis={axis} />
            <Flex position="absolute" inset="0">
              {points.map((point) => (
                <Column
                  key={point.key}
                  point={point}
                  axis={axis}
                  touched={point.key === touched}
                  onTouch={() => setTouched(point.key)}
                />
              ))}
            </Flex>
            {target && <TargetLine height={axis.heightOf(target.value)} />}
            {points[at] && <Note point={points[at]} heads={heads} place={(at + 0.5) / points.length} />}
          </chakra.div>
          <Flex mt="2" minHeight="4">
            {points.map(({ key, tick }, index) => (
              <Flex key={key} flex="1" minWidth="0" justify="center" whiteSpace="nowrap" overflow="visible">
                {index % interval === 0 && tick}
              </Flex>
            ))}
          </Flex>
          <chakra.p textAlign="center" mt="1">
            {axes.point}
          </chakra.p>
          {(target || comparedName) && <Legend target={target?.name} compared={comparedName} />}
        </chakra.div>
      </Flex>
    </chakra.div>
  );
}

/** Says what is behind and across the columns. */
function Legend({ target, compared }: { target: string | undefined; compared: string | undefined }) {
  return (
    <Flex columnGap="4" rowGap="1" wrap="wrap" justify="center" mt="3">
      {compared && (
        <Flex align="center" gap="2">
          <chakra.span width="3" height="3" borderRadius="2px" {...comparedFill} />
          {compared}
        </Flex>
      )}
      {target && (
        <Flex align="center" gap="2">
          <chakra.span width="4" {...targetLine} />
          {target}
        </Flex>
      )}
    </Flex>
  );
}

const comparedFill = { bg: 'border.strong', opacity: 0.4 } as const;
const targetLine = { height: '0', borderTopWidth: '2px', borderTopStyle: 'dashed', borderColor: 'due.fg' } as const;

const TargetLine = ({ height }: { height: number }) => (
  <chakra.div
    position="absolute"
    insetInline="0"
    pointerEvents="none"
    {...targetLine}
    style={{ bottom: part(height) }}
  />
);

function Axis({ axis, text }: { axis: Scale; text: (value: number) => string }) {
  return (
    // All labels share one grid cell, so the widest one sets the width of the axis; each is then moved to its height.
    <chakra.div position="relative" height="48" display="grid" justifyItems="end">
      {axis.ticks.map((tick) => (
        <chakra.span
          key={tick}
          gridArea="1 / 1"
          height="0"
          position="relative"
          translate="0 -0.6em"
          style={{ top: part(1 - axis.heightOf(tick)) }}
        >
          {text(tick)}
        </chakra.span>
      ))}
    </chakra.div>
  );
}

function Lines({ axis }: { axis: Scale }) {
  return axis.ticks.map((tick) => (
    <chakra.div
      key={tick}
      position="absolute"
      insetInline="0"
      borderBottomWidth="1px"
      borderColor={tick === 0 ? 'border.strong' : 'border'}
      style={{ bottom: part(axis.heightOf(tick)) }}
    />
  ));
}

function Column({
  point: { value, compared },
  axis,
  touched,
  onTouch,
}: {
  point: ChartPoint;
  axis: Scale;
  touched: boolean;
  onTouch: () => void;
}) {
  const [zero, end] = [axis.heightOf(0), axis.heightOf(value)];
  return (
    <chakra.div
      data-column
      flex="1"
      minWidth="0"
      position="relative"
      onPointerEnter={onTouch}
      onPointerDown={onTouch}
      _before={{ content: '""', position: 'absolute', inset: '0', bg: 'bg.sunken', opacity: touched ? 0.7 : 0 }}
    >
      {compared !== undefined && compared !== null && compared > 0 && (
        <chakra.div
          position="absolute"
          insetInline="max(0px, 6%)"
          marginInline="auto"
          maxWidth="14"
          borderTopRadius="3px"
          {...comparedFill}
          style={{ bottom: part(zero), height: part(axis.heightOf(compared) - zero) }}
        />
      )}
      <chakra.div
        position="absolute"
        insetInline={compared === undefined ? 'max(1px, 14%)' : 'max(1px, 20%)'}
        marginInline="auto"
        maxWidth="10"
        borderTopRadius={value >= 0 ? '3px' : '0'}
        bg={value >= 0 ? 'accent.solid' : 'refused.fg'}
        style={{ bottom: part(Math.min(zero, end)), height: part(Math.abs(end - zero)) }}
      />
    </chakra.div>
  );
}

/** Shows the values of the touched column above it, within the edges of the chart. */
function Note({ point, heads, place }: { point: ChartPoint; heads: readonly string[]; place: number }) {
  return (
    <chakra.div
      position="absolute"
      top="0"
      zIndex="docked"
      pointerEvents="none"
      px="3"
      py="2"
      bg="bg.surface"
      color="fg"
      borderWidth="1px"
      borderColor="border"
      borderRadius="md"
      boxShadow="raised"
      whiteSpace="nowrap"
      style={{ left: part(place), translate: `-${part(place)} 0` }}
    >
      <chakra.p fontWeight="medium">{point.name}</chakra.p>
      {heads.map((head, index) => (
        <Flex key={head} justify="space-between" gap="4" mt="1">
          <chakra.span color="fg.muted">{head}</chakra.span>
          <span>{point.cells[index]}</span>
        </Flex>
      ))}
    </chakra.div>
  );
}
