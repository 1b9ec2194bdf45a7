import { chakra, Flex } from '@chakra-ui/react';
import { RefreshCw } from 'lucide-react';
import { createContext, useContext, useState } from 'react';
import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { Banner } from '../ui/banner.tsx';
import { denseSizes, desk, useIsDesk } from '../ui/desk.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { useClinicFormats, useMoment } from '../formats/use-formats.ts';
import { useRememberedSince } from '../server-data/use-server-data.ts';

interface PageFrameProps {
  title: string;
  /** What the page is for. A desk gives that room to the data. */
  text?: string | undefined;
  /** A fact beside the heading, such as a date. */
  detail?: string | undefined;
  onRefresh?: (() => void) | undefined;
  isRefreshing?: boolean;
  /** Time of the oldest cached data on the page, in milliseconds; null if all data is fresh. */
  oldSince?: number | null;
  actions?: ReactNode;
  children: ReactNode;
}

/** Where the toolbar of the page stands; null until its head is there. */
const ToolbarPlace = createContext<HTMLElement | null>(null);

/** Shows the search and filters of a list: at a desk in one line with the heading of the page, elsewhere above the list. */
export function PageToolbar({ children }: { children: ReactNode }) {
  const place = useContext(ToolbarPlace);
  const isDesk = useIsDesk();
  return isDesk ? place && createPortal(children, place) : children;
}

/**
 * Frame of a back-office page: heading, toolbar, actions. Remembered data show their time beside the heading, and
 * an outage is told at the end, where it stays in view: neither moves what somebody reads or is about to tap.
 */
export function PageFrame({
  title,
  text,
  detail,
  onRefresh,
  isRefreshing = false,
  oldSince = null,
  actions,
  children,
}: PageFrameProps) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const [place, setPlace] = useState<HTMLElement | null>(null);
  return (
    <Flex
      direction="column"
      gap="6"
      width="full"
      maxWidth="90rem"
      mx="auto"
      px={{ base: '4', md: '8' }}
      pt="6"
      pb="12"
      css={{ [desk]: { ...denseSizes, gap: '{spacing.2}', paddingTop: '{spacing.3}' } }}
    >
      <Flex
        justify="space-between"
        align="flex-start"
        wrap="wrap"
        gap="4"
        css={{ [desk]: { alignItems: 'center', columnGap: '{spacing.3}', rowGap: '{spacing.2}' } }}
      >
        <chakra.div
          // A single button stands beside the heading, also on a phone.
          flex="1 1 12rem"
          minWidth="0"
          css={{ [desk]: { flex: '0 1 auto' } }}
        >
          <Flex align="baseline" gap="3" position="relative">
            <chakra.h1
              flexShrink={0}
              maxWidth="full"
              fontSize="xl"
              fontWeight="semibold"
              lineHeight="tight"
              letterSpacing="tight"
              css={{ [desk]: { fontSize: '{fontSizes.lg}' } }}
            >
              {title}
            </chakra.h1>
            {detail && (
              <chakra.span truncate color="fg.muted">
                {detail}
              </chakra.span>
            )}
            <AsOf oldSince={oldSince} />
          </Flex>
          {text && (
            <chakra.p color="fg.muted" mt="1" css={{ [desk]: { display: 'none' } }}>
              {text}
            </chakra.p>
          )}
        </chakra.div>
        <chakra.div
          ref={setPlace}
          display="none"
          flex="1 1 30rem"
          minWidth="0"
          css={{ [desk]: { '&:not(:empty)': { display: 'block' } } }}
        />
        <Flex gap="2" wrap="wrap" align="center" css={{ [desk]: { marginInlineStart: 'auto' } }}>
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
      <ToolbarPlace value={place}>{children}</ToolbarPlace>
      {oldSince !== null && (
        <chakra.div
          position="sticky"
          bottom="4"
          zIndex="docked"
          alignSelf="center"
          maxWidth="full"
          boxShadow="raised"
          borderRadius="md"
        >
          <Banner tone="due" title={t('page.old.title')}>
            {t('page.old.text', { time: formats.dateTime(oldSince) })}
          </Banner>
        </chakra.div>
      )}
    </Flex>
  );
}

/** The time of remembered data, in room that nothing else uses: beside the heading, at a desk in the gap below it. */
function AsOf({ oldSince }: { oldSince: number | null }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const remembered = useRememberedSince();
  const since = oldSince ?? remembered;
  if (since === null) return null;
  return (
    <chakra.span
      truncate
      // Its own width would move the buttons to a line of their own.
      flex="1"
      width="0"
      css={{ [desk]: { position: 'absolute', top: '100%', width: 'max-content', lineHeight: '{lineHeights.tight}' } }}
      fontSize="sm"
      color="fg.muted"
      fontVariantNumeric="tabular-nums"
      // Most replies are here before anybody could read it.
      opacity={0}
      animation="appear 150ms 400ms forwards"
    >
      {t('page.old.asOf', { time: moment(since) })}
    </chakra.span>
  );
}
