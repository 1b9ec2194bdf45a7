import { create } from 'zustand';

interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

export const useInstallPrompt = create<{ event: InstallPrompt | null }>(() => ({ event: null }));

/** Keeps the browser's install prompt, which fires once and early, for later use. */
export function keepInstallPrompt(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    useInstallPrompt.setState({ event: event as InstallPrompt });
  });
  addEventListener('appinstalled', () => useInstallPrompt.setState({ event: null }));
}
