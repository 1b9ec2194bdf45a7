import { chakra, Flex } from '@chakra-ui/react';
import { Component } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';

/**
 * Catches a bug in a screen. What people did is in the database, not in the screen, so reloading loses nothing, and the
 * plan being built is kept beside it.
 */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state = { error: null };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    return this.state.error === null ? this.props.children : <Crash error={this.state.error} />;
  }
}

function Crash({ error }: { error: unknown }) {
  const { t } = useTranslation();
  return (
    <Flex justify="center" p="6">
      <chakra.div width="full" maxWidth="96">
        <Banner
          tone="refused"
          title={t('app.crash.title')}
          actions={
            <Button variant="primary" onClick={() => location.reload()}>
              {t('app.crash.reload')}
            </Button>
          }
        >
          <p>{t('app.crash.text')}</p>
          <chakra.details mt="2" color="fg.muted">
            <chakra.summary minHeight="6" cursor="pointer">
              {t('app.crash.details')}
            </chakra.summary>
            <chakra.pre whiteSpace="pre-wrap" overflowWrap="anywhere" fontFamily="mono">
              {String(error)}
            </chakra.pre>
          </chakra.details>
        </Banner>
      </chakra.div>
    </Flex>
  );
}
