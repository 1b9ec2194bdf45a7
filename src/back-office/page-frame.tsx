import { chakra, Flex } from '@chakra-ui/react';
import { CloudOff, RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { useFormats } from '../formats/use-formats.ts';

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

/** Frame of a back-office page: heading, refresh button, actions, and a notice if the data is old. */
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
  const formats = useFormats();
  return (
    <Flex direction="column" gap="6" width="full" maxWidth="90rem" mx="auto" px={{ base: '4', md: '8' }} pt="6" pb="12">
      <Flex justify="space-between" align="flex-start" wrap="wrap" gap="4">
        <div>
          <chakra.h1 fontSize="xl" fontWeight="semibold" lineHeight="tight" letterSpacing="tight">
            {title}
          </chakra.h1>
          {text && (
            <chakra.p color="fg.muted" mt="1">
              {text}
            </chakra.p>
          )}
        </div>
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
      {oldSince !== null && (
        <Banner tone="due" title={t('page.old.title')}>
          <Flex align="center" gap="2">
            <CloudOff size={16} aria-hidden />
            {t('page.old.text', { time: formats.dateTime(oldSince) })}
          </Flex>
        </Banner>
      )}
      {children}
    </Flex>
  );
}
