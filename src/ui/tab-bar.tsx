import { chakra, Flex } from '@chakra-ui/react';
import { useEffect, useRef } from 'react';
import type { ComponentProps } from 'react';
import { chooseByArrow } from './arrow-keys.ts';

export interface Tab<Value extends string> {
  value: Value;
  label: string;
  /** Number of waiting items behind the tab, such as `3` or `9+`. Its room is kept, so that its coming moves nothing. */
  badge?: string | undefined;
}

interface TabBarProps<Value extends string> extends Omit<ComponentProps<typeof Flex>, 'onChange'> {
  /** Accessible name of the bar. */
  label: string;
  value: Value;
  tabs: readonly Tab<Value>[];
  onChange: (value: Value) => void;
  /** Id of the element with `role="tabpanel"` that shows the content of the chosen tab. */
  panelId: string;
}

/**
 * Tabs of a page, below its heading. The bar has no frame, so that users do not take it for the app's bar of sections.
 * If the bar is wider than the window, it scrolls, and the chosen tab stays in view.
 */
export function TabBar<Value extends string>({ label, value, tabs, onChange, panelId, ...rest }: TabBarProps<Value>) {
  return (
    <Flex
      role="tablist"
      aria-label={label}
      onKeyDown={(event) =>
        chooseByArrow(event, { values: tabs.map((tab) => tab.value), value, role: 'tab', onChange })
      }
      position="relative"
      gap="1"
      py="var(--tabs-padding, 0.25rem)"
      overflowX="auto"
      scrollbarWidth="none"
      // Tabs beyond the edge fade towards it.
      css={{ maskImage: 'linear-gradient(to right, transparent, black 16px, black calc(100% - 16px), transparent)' }}
      {...rest}
    >
      {tabs.map((tab) => (
        <TabButton
          key={tab.value}
          tab={tab}
          chosen={tab.value === value}
          panelId={panelId}
          onClick={() => onChange(tab.value)}
        />
      ))}
    </Flex>
  );
}

function TabButton({
  tab,
  chosen,
  panelId,
  onClick,
}: {
  tab: Tab<string>;
  chosen: boolean;
  panelId: string;
  onClick: () => void;
}) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const own = button.current;
    const row = own?.parentElement;
    if (!chosen || !row) return;
    const show = () => {
      const [place, view] = [own.getBoundingClientRect(), row.getBoundingClientRect()];
      // A tab that is seen whole must not move under the finger that tapped it.
      if (place.left < view.left || place.right > view.right)
        row.scrollLeft = own.offsetLeft + place.width / 2 - row.clientWidth / 2;
    };
    show();
    // Some tabs come later than others, and get their width with their typeface; a window that is turned has another.
    const resized = new ResizeObserver(show);
    for (const element of [row, ...row.children]) resized.observe(element);
    const added = new MutationObserver(show);
    added.observe(row, { childList: true });
    return () => {
      resized.disconnect();
      added.disconnect();
    };
  }, [chosen]);
  return (
    <chakra.button
      ref={button}
      type="button"
      role="tab"
      aria-selected={chosen}
      aria-controls={panelId}
      tabIndex={chosen ? 0 : -1}
      onClick={onClick}
      display="flex"
      alignItems="center"
      gap="2"
      flexShrink={0}
      minHeight="10"
      ps="3"
      pe={tab.badge === undefined ? '3' : '9'}
      borderRadius="md"
      fontWeight="medium"
      whiteSpace="nowrap"
      cursor="pointer"
      color={chosen ? 'accent.fg' : 'fg.muted'}
      bg={chosen ? 'accent.subtle' : 'transparent'}
      _hover={chosen ? {} : { bg: 'bg.hover', color: 'fg' }}
      // The bar clips its content, so the focus ring is drawn inside the tab. The tap target is 48 px high.
      _focusVisible={{ outlineOffset: '-3px' }}
      position="relative"
      _before={{ content: '""', position: 'absolute', insetInline: '0', insetBlock: '-4px' }}
    >
      {tab.label}
      {tab.badge && (
        <chakra.span
          position="absolute"
          insetInlineEnd="1.5"
          px="1"
          minWidth="6"
          borderRadius="full"
          bg="due.subtle"
          color="due.fg"
          fontSize="sm"
          lineHeight="tight"
          textAlign="center"
          fontVariantNumeric="tabular-nums"
        >
          {tab.badge}
        </chakra.span>
      )}
    </chakra.button>
  );
}
