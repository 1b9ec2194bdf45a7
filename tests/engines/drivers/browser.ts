/** A browser of any engine, with a profile that outlives it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tab } from './tab.ts';

export type EngineName = 'firefox' | 'webkit';

export interface BrowserOptions {
  /** A folder, which may hold the profile of an earlier browser. */
  profile: string;
  width?: number;
  height?: number;
  /** Runs before the scripts of every page, not of workers. */
  script?: string;
  /** False for an engine that has no service workers. */
  hasWorkers?: boolean;
}

/** What came out of the printer. */
export interface Paper {
  text: string;
  pages: number;
  widthMm: number;
  heightMm: number;
}

export abstract class EngineBrowser {
  /** Errors of all pages, in order: uncaught exceptions, unhandled rejections, and calls of `console.error`. */
  abstract errors(): string[];
  abstract firstTab(): Promise<Tab>;
  abstract newTab(): Promise<Tab>;
  /** Ends the browser as a person does. */
  abstract close(): Promise<void>;
  /** Ends all its processes at once, as a power cut does. */
  abstract kill(): Promise<void>;
  /** Returns the papers printed since the last call, oldest first. */
  abstract papers(): Promise<Paper[]>;
  /** Returns the paths of the files that were downloaded completely. */
  abstract downloads(): Promise<string[]>;
  /** Returns the tabs and windows that are open. */
  abstract tabs(): Promise<Tab[]>;

  /** Runs an act. Returns the tab or window that it opens, or null. */
  async opened(act: () => Promise<void>, timeoutMs = 20_000): Promise<Tab | null> {
    const before = await this.tabs();
    await act();
    for (const end = Date.now() + timeoutMs; ; await sleep(50)) {
      const opened = (await this.tabs()).find((tab) => !before.includes(tab));
      if (opened) return opened;
      if (Date.now() > end) return null;
    }
  }
}

/** A tablet in landscape. */
export const tabletSize = { width: 1180, height: 820 };

/** Lists each error once, with the number of its occurrences. */
export function distinct(errors: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const error of errors) counts.set(error, (counts.get(error) ?? 0) + 1);
  return [...counts].map(([error, count]) => `${error.slice(0, 300)}${count > 1 ? ` (${count} times)` : ''}`);
}
