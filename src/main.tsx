// First, because the order of the layers begins with it.
import './ui/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ErrorBoundary } from './app/error-boundary.tsx';
import { startI18n } from './i18n/i18n.ts';
import { keepInstallPrompt } from './install/install-prompt.ts';
import { AppRoutes, loadFirstPage } from './app/routes.tsx';
import { ScanHost } from './app/scan-host.tsx';
import { AppToaster } from './app/toaster.tsx';
import { restoreSession } from './session/session.ts';
import { idle } from './ui/when-idle.ts';
import { followColourMode } from './preferences/colour-mode.ts';

// No top-level `await`: chunks that are loaded later import from this one, and would wait forever.
async function start(): Promise<void> {
  // `check-engine.js` shows what to do instead.
  if (document.documentElement.dataset['engine'] === 'old') return;
  followColourMode();
  keepInstallPrompt();
  restoreSession(Date.now(), location.pathname);
  // If the worker has cached the font, loading it first is free and avoids a second layout.
  if (navigator.serviceWorker?.controller) document.fonts.load('1em "Inter Variable"').catch(() => undefined);
  await Promise.all([loadFirstPage(), startI18n()]);
  createRoot(document.querySelector('#root')!).render(
    <StrictMode>
      <ErrorBoundary>
        <AppRoutes />
      </ErrorBoundary>
      <AppToaster />
      <ScanHost />
    </StrictMode>,
  );
  // Last, so that neither the keys nor precaching slow down the first page, which React draws in a task of its own.
  await idle();
  const { afterFirstPage } = await import('./app/after-first-page.ts');
  await afterFirstPage();
}

void start();
