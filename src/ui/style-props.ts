/**
 * The style props and conditions that this app uses. Chakra's own list is three times as long and would add 5 kB to
 * the first download. Chakra treats a prop that is not listed as plain CSS and does not resolve its tokens; a test
 * finds props that are used but not listed.
 */
import { defineConditions, defineConfig } from '@chakra-ui/react';
import type { SystemConfig } from '@chakra-ui/react';

type Utilities = NonNullable<SystemConfig['utilities']>;
type TokenCategory = Extract<NonNullable<Utilities[string]>['values'], string>;

/** Props by the token category of their values, each with its short names. */
const props = {
  spacing: {
    gap: [],
    rowGap: [],
    columnGap: [],
    margin: ['m'],
    marginTop: ['mt'],
    marginRight: ['mr'],
    marginBottom: ['mb'],
    marginLeft: ['ml'],
    marginInline: ['mx'],
    marginInlineStart: ['ms'],
    marginInlineEnd: ['me'],
    marginBlock: ['my'],
    padding: ['p'],
    paddingTop: ['pt'],
    paddingBottom: ['pb'],
    paddingInline: ['px'],
    paddingInlineStart: ['ps'],
    paddingInlineEnd: ['pe'],
    paddingBlock: ['py'],
    inset: [],
    insetInline: [],
    insetBlock: [],
    insetInlineStart: ['insetStart'],
    insetInlineEnd: ['insetEnd'],
    top: [],
    bottom: [],
    scrollMargin: [],
    scrollMarginTop: [],
    scrollPaddingInline: [],
  },
  sizes: {
    width: ['w'],
    height: ['h'],
    minWidth: ['minW'],
    minHeight: ['minH'],
    maxWidth: ['maxW'],
    maxHeight: ['maxH'],
  },
  colors: { background: ['bg'], color: [], fill: [], borderColor: [], outlineColor: [] },
  borders: { border: [] },
  borderWidths: {
    borderWidth: [],
    borderTopWidth: [],
    borderBottomWidth: [],
    borderRightWidth: [],
    borderInlineStartWidth: [],
    borderInlineEndWidth: [],
  },
  radii: { borderRadius: [], borderTopRadius: [] },
  shadows: { boxShadow: [] },
  zIndex: { zIndex: [] },
  fonts: { fontFamily: [] },
  fontSizes: { fontSize: [] },
  fontWeights: { fontWeight: [] },
  lineHeights: { lineHeight: [] },
  letterSpacings: { letterSpacing: [] },
  animations: { animation: [] },
} satisfies Partial<Record<TokenCategory, Record<string, string[]>>>;

/** Cuts off the end of a text, which is on the left of Arabic and Hebrew (`text.module.css`). */
const natural = { unicodeBidi: 'plaintext', textAlign: '-webkit-match-parent' } as const;

/** Props that set more than one CSS property. */
const special: Utilities = {
  borderTopRadius: {
    values: 'radii',
    transform: (value: string) => ({ borderTopLeftRadius: value, borderTopRightRadius: value }),
  },
  hideFrom: {
    values: 'breakpoints',
    transform: (_value: string, { raw }: { raw: string }) => ({ [`@breakpoint ${raw}`]: { display: 'none' } }),
  },
  hideBelow: {
    values: 'breakpoints',
    transform: (_value: string, { raw }: { raw: string }) => ({ [`@breakpoint ${raw}Down`]: { display: 'none' } }),
  },
  lineClamp: {
    transform: (lines: string) => ({
      overflow: 'hidden',
      display: '-webkit-box',
      WebkitLineClamp: lines,
      WebkitBoxOrient: 'vertical',
      textWrap: 'wrap',
      ...natural,
    }),
  },
  /** Keeps text on one line and cuts off the rest. */
  truncate: {
    values: { type: 'boolean' },
    transform: (cut: boolean) =>
      cut ? { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', ...natural } : {},
  },
  /** Shows an element to screen readers only. */
  srOnly: {
    values: { type: 'boolean' },
    transform: (hidden: boolean) =>
      hidden
        ? {
            position: 'absolute',
            width: '1px',
            height: '1px',
            padding: '0',
            margin: '-1px',
            overflow: 'hidden',
            clip: 'rect(0, 0, 0, 0)',
            whiteSpace: 'nowrap',
            borderWidth: '0',
          }
        : {},
  },
};

const byToken = Object.entries(props).flatMap(([values, names]) =>
  Object.entries(names).map(([name, shorthand]) => [name, { values: values as TokenCategory, shorthand }] as const),
);

export const styleProps = defineConfig({
  conditions: defineConditions({
    hover: ['@media (hover: hover)', '&:is(:hover, [data-hover]):not(:disabled, [data-disabled])'],
    active: '&:is(:active, [data-active]):not(:disabled, [data-disabled])',
    focus: '&:is(:focus, [data-focus])',
    focusVisible: '&:is(:focus-visible, [data-focus-visible])',
    disabled: '&:is(:disabled, [disabled], [data-disabled], [aria-disabled=true])',
    invalid: '&:is([data-invalid], [aria-invalid=true])',
    pressed: '&:is([aria-pressed=true], [data-pressed])',
    empty: '&:empty',
    open: '&:is([open], [data-open], [data-state=open])',
    currentPage: '&[aria-current=page]',
    before: '&::before',
    backdrop: '&::backdrop',
    icon: '& :where(svg)',
    dark: '.dark &',
    light: ':root &, .light &',
  }),
  utilities: { ...Object.fromEntries(byToken), ...special },
});
