/** The engines besides Chromium, by name. */
import type { BrowserOptions, EngineBrowser, EngineName } from './drivers/browser.ts';
import { openDisplay } from './drivers/display.ts';
import { Firefox } from './drivers/firefox.ts';
import { WebKit } from './drivers/webkit.ts';

export interface Engine {
  name: EngineName;
  open: (options: BrowserOptions) => Promise<EngineBrowser>;
  close: () => void;
}

export const engines: Record<EngineName, () => Promise<Engine>> = {
  firefox: async () => ({ name: 'firefox', open: (options) => Firefox.open(options), close: () => undefined }),
  webkit: async () => {
    const display = await openDisplay();
    return { name: 'webkit', open: (options) => WebKit.open(options, display), close: display.close };
  },
};
