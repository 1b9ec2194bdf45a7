import { chakra, Flex } from '@chakra-ui/react';
import { RefreshCw } from 'lucide-react';
import { createContext, useContext, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { denseSizes, desk, useIsVeryWide, useIsWide, wide } from '../ui/desk.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { visuallyHidden } from '../ui/visually-hidden.ts';
import { PageFoot } from '../ui/page-foot.tsx';
import { useClinicFormats } from '../formats/use-formats.ts';
import { AsOf, besideHeading, Outage } from './remembered-data.tsx';

interface PageFrameProps {
  title: string;
  /** What the page is for, for those who cannot see it at a glance. */
  text?: string | undefined;
  /** A fact beside the heading, such as a date. */
  detail?: string | undefined;
  onRefresh?: (() => void) | undefined;
  isRefreshing?: boolean;
  /** Time of the oldest cached data on the page, in milliseconds; null if all data is fresh. */
  oldSince?: number | null;
  actions?: ReactNode;
  /** Leads to the page above this one; stands before the heading. */
  back?: ReactNode;
  children: ReactNode;
}

/** Few things stand in the line of the heading, or many, which need so many rem of it; null for nothing. */
type Filled = 'few' | number | null;

interface Head {
  /** Where the toolbar or the tabs of the page stand; null until the head is there, and for what stands below it. */
  place: HTMLElement | null;
  /** False for what stands below the tabs of its page. */
  isOpen: boolean;
  /** Keeps the head in view while the page scrolls. */
  pin: (isPinned: boolean) => void;
  /** Says what stands in the line of the heading; `many` need its room, where both do not fit. */
  fill: (filled: Filled) => void;
}

const HeadOfPage = createContext<Head>({ place: null, isOpen: false, pin: () => {}, fill: () => {} });

/** Keeps what it holds at the upper edge while the page scrolls. */
const pinned = { position: 'sticky', top: '0', zIndex: 'docked', bg: 'bg', m: '-2', p: '2' } as const;

/**
 * Shows the search and filters of a list: in a wide window in one line with the heading of the page, elsewhere and below
 * tabs above the list.
 *
 * @param isPinned true while it stays in view, because it acts on rows further below
 * @param controls how many it has: three only a very wide window has room for beside the heading, and more no window has
 */
export function PageToolbar({
  isPinned = false,
  controls = 0,
  children,
}: {
  isPinned?: boolean;
  controls?: number;
  children: ReactNode;
}) {
  const { place, isOpen, pin } = useContext(HeadOfPage);
  const [isWide, isVeryWide] = [useIsWide(), useIsVeryWide()];
  const isInHead = isOpen && controls <= 3 && (controls === 3 ? isVeryWide : isWide);
  useEffect(() => {
    pin(isPinned && isInHead);
    return () => pin(false);
  }, [pin, isPinned, isInHead]);
  if (isInHead) return place && createPortal(children, place);
  return (
    <chakra.div minWidth="0" {...(isPinned && pinned)}>
      {children}
    </chakra.div>
  );
}

/** Shows the tabs or the figures of a page: in a wide window in one line with its heading, else above the rest. */
export function HeadLine({
  bar,
  needsRoom = false,
  children,
}: {
  bar: ReactNode;
  /** Of many things: the rem that the line of the heading needs for them. A narrower line is followed by one of their own. */
  needsRoom?: number | false;
  children: ReactNode;
}) {
  const head = useContext(HeadOfPage);
  const isInHead = useIsWide() && head.isOpen;
  const below = useMemo(() => ({ ...head, isOpen: false }), [head]);
  const { fill } = head;
  useLayoutEffect(() => {
    fill(isInHead ? needsRoom || 'few' : null);
    return () => fill(null);
  }, [fill, isInHead, needsRoom]);
  return (
    <>
      {isInHead ? head.place && createPortal(bar, head.place) : bar}
      <HeadOfPage value={below}>{children}</HeadOfPage>
    </>
  );
}

/**
 * Frame of a back-office page: heading, toolbar, actions. Remembered data show their time beside the heading, and
 * an outage is told below the page, in a line of its own: neither moves or hides what somebody reads or is about to tap.
 */
export function PageFrame({
  title,
  text,
  detail,
  onRefresh,
  isRefreshing = false,
  oldSince = null,
  actions,
  back,
  children,
}: PageFrameProps) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const [isPinned, pin] = useState(false);
  const [filled, fill] = useState<Filled>(null);
  const head = useMemo(() => ({ place, isOpen: true, pin, fill }), [place]);
  const ownLineBelow = typeof filled === 'number' ? filled : 0;
  return (
    <Flex
      direction="column"
      gap="4"
      width="full"
      maxWidth="90rem"
      mx="auto"
      px="4"
      pt="2"
      // At the end of the page the line of an outage takes the room that is there without it, so nothing moves there either.
      pb={oldSince === null ? { base: '24', md: '16' } : '4'}
      css={{
        // How far a bar reaches beyond the text of the page.
        '--bleed': '1rem',
        [wide]: { '--bleed': '1rem', gap: '{spacing.4}', paddingTop: '{spacing.2}', paddingInline: '{spacing.6}' },
        [desk]: denseSizes,
      }}
    >
      <Flex
        justify="space-between"
        align="center"
        wrap="wrap"
        columnGap="2"
        rowGap="3"
        {...(isPinned && pinned)}
        css={{
          [wide]: {
            container: 'head / inline-size',
            // What follows stands closer than other parts of the page do to each other.
            marginBottom: isPinned ? '-1rem' : '-0.5rem',
            columnGap: '{spacing.3}',
            rowGap: '{spacing.2}',
            // Without a toolbar the line is low, so that the time has its room beside the heading instead of below it.
            '&:not(:has(> [data-toolbar]:not(:empty))) [data-as-of]': besideHeading,
            // Beside a toolbar it would be squeezed below the heading, and during an outage the end of the page says it.
            '&:has(> [data-toolbar]:not(:empty)) [data-as-of=twice]': { display: 'none' },
          },
        }}
      >
        <chakra.div
          // A single button stands beside the heading, also on a phone, unless that is a long name of somebody.
          flex={back ? '1 1 auto' : '1 1 6rem'}
          // No word of the heading is broken.
          minWidth={{ base: 'min-content', md: '0' }}
          css={{
            [wide]: { flex: back ? '1 1 20rem' : '0 1 auto' },
            ...(typeof filled === 'number' && {
              // Beside an open sidebar, which names the page.
              [`@container head (${filled}rem <= width < 68rem)`]: visuallyHidden,
              [`@container head (width < ${filled}rem)`]: { flex: '1 1 auto' },
            }),
          }}
        >
          <Flex align={back ? 'center' : 'baseline'} gap={back ? '1' : '3'} position="relative">
            {back}
            <chakra.h1
              flexShrink={back ? 1 : { base: 1, md: 0 }}
              minWidth="0"
              maxWidth="full"
              overflowWrap="break-word"
              fontSize="lg"
              fontWeight="semibold"
              lineHeight="tight"
              letterSpacing="tight"
            >
              {title}
            </chakra.h1>
            {detail && (
              <chakra.span truncate color="fg.muted">
                {detail}
              </chakra.span>
            )}
            {!filled && <AsOf oldSince={oldSince} hasActions={Boolean(actions)} />}
          </Flex>
          {text && <chakra.p srOnly>{text}</chakra.p>}
        </chakra.div>
        <chakra.div
          ref={setPlace}
          data-toolbar
          display="none"
          flex="1 1 30rem"
          minWidth="0"
          css={{
            [wide]: { '&:not(:empty)': { display: 'block' } },
            // A narrow line is one line all the same.
            [`@container head (${ownLineBelow}rem <= width < 60rem)`]: { flexBasis: '15rem' },
            // So much takes a line of its own, below heading and buttons.
            [`@container head (width < ${ownLineBelow}rem)`]: { order: 1, flexBasis: '100%' },
          }}
        />
        <Flex gap="2" wrap="wrap" align="center" position="relative" ms="auto">
          {filled && <AsOf oldSince={oldSince} isBesideActions />}
          {onRefresh && (
            <IconButton
              label={t(isRefreshing ? 'page.refreshing' : 'page.refresh')}
              onClick={onRefresh}
              disabled={isRefreshing}
            >
              <RefreshCw />
            </IconButton>
          )}
          {actions}
        </Flex>
      </Flex>
      <HeadOfPage value={head}>{children}</HeadOfPage>
      {oldSince !== null && (
        <PageFoot>
          <Outage title={t('page.old.title')} text={t('page.old.text', { time: formats.dateTime(oldSince) })} />
        </PageFoot>
      )}
    </Flex>
  );
}
