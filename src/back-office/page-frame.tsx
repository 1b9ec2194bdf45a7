import { chakra, Flex } from '@chakra-ui/react';
import { RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { useClinicFormats, useMoment } from '../formats/use-formats.ts';
import { useRememberedSince } from '../server-data/use-server-data.ts';

interface PageFrameProps {
  title: string;
  text?: string | undefined;
  onRefresh?: (() => void) | undefined;
  isRefreshing?: boolean;
  /** Time of the oldest cached data on the page, in milliseconds; null if all data is fresh. */
  oldSince?: number | null;
  actions?: ReactNode;
  children: ReactNode;
}

/**
 * Frame of a back-office page: heading, refresh button and actions. Remembered data show their time beside the heading, and
 * an outage is told at the end, where it stays in view: neither moves what somebody reads or is about to tap.
 */
export function PageFrame({
  title,
  text,
  onRefresh,
  isRefreshing = false,
  oldSince = null,
  actions,
  children,
}: PageFrameProps) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const moment = useMoment();
  const remembered = useRememberedSince();
  const since = oldSince ?? remembered;
  return (
    <Flex direction="column" gap="6" width="full" maxWidth="90rem" mx="auto" px={{ base: '4', md: '8' }} pt="6" pb="12">
      <Flex justify="space-between" align="flex-start" wrap="wrap" gap="4">
        <chakra.div flex="1 1 auto" minWidth="0">
          <Flex align="baseline" gap="3">
            <chakra.h1
              flexShrink={0}
              maxWidth="full"
              fontSize="xl"
              fontWeight="semibold"
              lineHeight="tight"
              letterSpacing="tight"
            >
              {title}
            </chakra.h1>
            {since !== null && (
              <chakra.span
                truncate
                // It takes the room that is left. Its own width would move the buttons to a line of their own.
                flex="1"
                width="0"
                fontSize="sm"
                color="fg.muted"
                fontVariantNumeric="tabular-nums"
                // Most replies are here before anybody could read it.
                opacity={0}
                animation="appear 150ms 400ms forwards"
              >
                {t('page.old.asOf', { time: moment(since) })}
              </chakra.span>
            )}
          </Flex>
          {text && (
            <chakra.p color="fg.muted" mt="1">
              {text}
            </chakra.p>
          )}
        </chakra.div>
        <Flex gap="2" wrap="wrap">
          {onRefresh && (
            <Button onClick={onRefresh} disabled={isRefreshing}>
              <RefreshCw />
              {t(isRefreshing ? 'page.refreshing' : 'page.refresh')}
            </Button>
          )}
          {actions}
        </Flex>
      </Flex>
      {children}
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
