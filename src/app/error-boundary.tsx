import { chakra, Flex } from '@chakra-ui/react';
import { Component } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';

interface ErrorBoundaryProps {
  /** URL of the content. A new URL clears the error. */
  at?: string;
  children: ReactNode;
}

interface ErrorBoundaryState {
  error: unknown;
  at: string | undefined;
}

/**
 * Catches errors of a screen, including code that could not be loaded. Work is stored in the database, and so is the
 * plan being built, so rendering again or reloading loses nothing.
 */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { error: null, at: this.props.at };

  static getDerivedStateFromError(error: unknown): Partial<ErrorBoundaryState> {
    return { error };
  }

  static getDerivedStateFromProps({ at }: ErrorBoundaryProps, before: ErrorBoundaryState): ErrorBoundaryState | null {
    return at === before.at ? null : { error: null, at };
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error === null ? (
      this.props.children
    ) : (
      <Crash error={error} onRetry={() => this.setState({ error: null })} />
    );
  }
}

function Crash({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <Flex justify="center" p="6">
      <chakra.div width="full" maxWidth="96">
        <Banner
          tone="refused"
          title={t('app.crash.title')}
          actions={
            <>
              <Button onClick={() => location.reload()}>{t('app.crash.reload')}</Button>
              <Button variant="primary" onClick={onRetry}>
                {t('page.tryAgain')}
              </Button>
            </>
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
