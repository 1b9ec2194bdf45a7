import { create } from 'zustand';

interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

export const useInstallPrompt = create<{ event: InstallPrompt | null }>(() => ({ event: null }));

/** The browser makes its offer early and once; it is kept for when somebody wants it. */
export function keepInstallPrompt(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    useInstallPrompt.setState({ event: event as InstallPrompt });
  });
  addEventListener('appinstalled', () => useInstallPrompt.setState({ event: null }));
}
