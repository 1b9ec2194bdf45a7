import { Component } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import styles from './error-boundary.module.css';

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
    <div className={styles['crash']}>
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
        <details>
          <summary>{t('app.crash.details')}</summary>
          <pre>{String(error)}</pre>
        </details>
      </Banner>
    </div>
  );
}
