import { chakra, Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { chooseByArrow } from './arrow-keys.ts';

export interface Segment<Value extends string> {
  value: Value;
  label: string;
  icon?: ReactNode;
  count?: number | undefined;
}

interface SegmentedProps<Value extends string> {
  /** Accessible name of the group. */
  label: string;
  value: Value;
  segments: Segment<Value>[];
  onChange: (value: Value) => void;
  /** `tabs` switch the content of the element `panelId`, which has `role="tabpanel"`; a `choice` sets a value. */
  kind?: 'tabs' | 'choice';
  panelId?: string;
  /** Places the count above the label, even if it is 0, so that the bar fits a phone. */
  stacked?: boolean;
}

const semantics = {
  tabs: { group: 'tablist', item: 'tab', chosen: 'aria-selected' },
  choice: { group: 'radiogroup', item: 'radio', chosen: 'aria-checked' },
} as const;

/** A bar of alternatives, of which one is chosen. Arrow keys move between them. */
export function Segmented<Value extends string>(props: SegmentedProps<Value>) {
  const { label, value, segments, onChange, kind = 'tabs', panelId, stacked = false } = props;
  const aria = semantics[kind];
  return (
    <Flex
      role={aria.group}
      aria-label={label}
      onKeyDown={(event) =>
        chooseByArrow(event, { values: segments.map((segment) => segment.value), value, role: aria.item, onChange })
      }
      bg="bg.sunken"
      borderRadius="md"
      p="1"
      gap="1"
    >
      {segments.map((segment) => {
        const chosen = segment.value === value;
        return (
          <chakra.button
            key={segment.value}
            type="button"
            role={aria.item}
            {...{ [aria.chosen]: chosen }}
            aria-controls={panelId}
            tabIndex={chosen ? 0 : -1}
            onClick={() => onChange(segment.value)}
            display="flex"
            flexDirection={stacked ? 'column-reverse' : 'row'}
            alignItems="center"
            justifyContent="center"
            gap={stacked ? '0' : '2'}
            flex="1"
            minHeight={stacked ? '14' : '10'}
            px={kind === 'tabs' ? '3' : '2'}
            fontSize={kind === 'tabs' ? 'md' : 'sm'}
            borderRadius="md"
            fontWeight="medium"
            whiteSpace="nowrap"
            cursor="pointer"
            color={chosen ? 'fg' : 'fg.muted'}
            bg={chosen ? 'bg.surface' : 'transparent'}
            borderWidth="1px"
            borderColor={chosen ? 'border' : 'transparent'}
            _hover={{ color: 'fg' }}
            // The tap target of a segment includes the padding of the bar, which makes it 48 px high.
            position="relative"
            _before={{ content: '""', position: 'absolute', insetInline: '0', insetBlock: '-5px' }}
            css={{ '& svg': { width: '4', height: '4' } }}
          >
            {segment.icon}
            {segment.label}
            {segment.count || (stacked && segment.count === 0) ? (
              <chakra.span fontSize="sm" color="fg.muted" fontVariantNumeric="tabular-nums">
                {segment.count}
              </chakra.span>
            ) : null}
          </chakra.button>
        );
      })}
    </Flex>
  );
}
