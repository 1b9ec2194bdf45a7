/** A tab of any engine, used as a person uses it: elements by role and name, taps and keys by the engine's own input. */
import { setTimeout as sleep } from 'node:timers/promises';
import { BrowserEnded } from './ending.ts';
import { describe, inPage, sent } from './elements.ts';
import type { TapPoint, Target } from './elements.ts';
import { callOf } from './page-functions.ts';

/** An input source of WebDriver's actions, which both protocols know in the same form. */
export interface InputSource {
  type: 'pointer' | 'key';
  id: string;
  parameters?: { pointerType: 'mouse' };
  actions: { type: string; [detail: string]: unknown }[];
}

interface Patience {
  timeoutMs?: number;
}

/** It ends what hangs, and is far above what a page takes on a busy machine. */
const defaultTimeoutMs = 60_000;

export abstract class Tab {
  abstract goto(url: string): Promise<void>;
  abstract reload(): Promise<void>;
  /** Brings the tab before the others of its browser. */
  abstract toFront(): Promise<void>;
  abstract close(): Promise<void>;
  abstract screenshot(file: string): Promise<void>;
  /** Evaluates an expression and awaits it. Its value travels as JSON. */
  protected abstract run(expression: string): Promise<unknown>;
  protected abstract perform(sources: InputSource[]): Promise<void>;

  /** Runs a function in the page. It needs nothing but its arguments. */
  evaluate<A extends unknown[], R>(work: (...args: A) => R, ...args: A): Promise<Awaited<R>> {
    return this.run(callOf(work, args)) as Promise<Awaited<R>>;
  }

  /** Asks until the answer is true. A page on its way to the next one throws, so only the last error counts. */
  async until<T>(what: string, probe: () => Promise<T>, { timeoutMs = defaultTimeoutMs }: Patience = {}): Promise<T> {
    const end = Date.now() + timeoutMs;
    for (;;) {
      let reason = '';
      try {
        const answer = await probe();
        if (answer) return answer;
      } catch (error) {
        if (error instanceof BrowserEnded) throw error;
        reason = ` (${(error as Error).message})`;
      }
      if (Date.now() > end) throw new Error(`${what}: not within ${timeoutMs / 1000} s${reason}`);
      await sleep(100);
    }
  }

  async has(target: Target): Promise<boolean> {
    return (await this.run(inPage.call('isThere', sent(target)))) as boolean;
  }

  shows(target: Target, patience?: Patience): Promise<boolean> {
    return this.until(`${describe(target)} shows`, () => this.has(target), patience);
  }

  hides(target: Target, patience?: Patience): Promise<boolean> {
    return this.until(`${describe(target)} is gone`, async () => !(await this.has(target)), patience);
  }

  /** Returns the visible text of the page, or of an element. */
  async text(target?: Target): Promise<string> {
    if (target) return ((await this.run(inPage.call('textOf', sent(target)))) as string | null) ?? '';
    return this.evaluate(() => document.body?.innerText ?? '');
  }

  /** Waits until the visible text matches. Returns the match. */
  async reads(pattern: RegExp, patience?: Patience): Promise<RegExpExecArray> {
    let text = '';
    const read = async () => pattern.exec((text = await this.text()));
    try {
      return (await this.until(`the text ${String(pattern)}`, read, patience))!;
    } catch (error) {
      throw new Error(`${(error as Error).message}. The page says: ${text.replace(/\s+/g, ' ').slice(0, 400)}`, {
        cause: error,
      });
    }
  }

  async value(target: Target): Promise<string | null> {
    return (await this.run(inPage.call('valueOf', sent(target)))) as string | null;
  }

  /** Taps an element as soon as a person could: it is shown, enabled, still, and nothing covers it. */
  async tap(target: Target, patience?: Patience): Promise<void> {
    let reason = '';
    const point = async () => {
      const answer = (await this.run(inPage.call('tapPointOf', sent(target)))) as TapPoint;
      if ('x' in answer) return answer;
      reason = answer.reason;
      return null;
    };
    const found = await this.until(`a tap on ${describe(target)}`, point, patience).catch((error: Error) => {
      throw new Error(`${error.message}: ${reason}`, { cause: error });
    });
    const { x, y } = found!;
    const actions = [
      { type: 'pointerMove', x, y, duration: 0 },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ];
    await this.perform([{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }]);
    // A page that the tap has left or closed gives no answer.
    if (await this.run(inPage.call('didTapMiss')).catch(() => false)) await this.tap(target, patience);
  }

  async type(text: string): Promise<void> {
    const actions = Array.from(text).flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]);
    await this.perform([{ type: 'key', id: 'keyboard', actions }]);
  }

  /** Replaces the text of a field by keys. */
  async fill(target: Target, text: string, patience?: Patience): Promise<void> {
    await this.tap(target, patience);
    await this.run(inPage.call('selectText', sent(target)));
    await this.type(text || keys.backspace);
    await this.until(`${describe(target)} holds what was typed`, async () => (await this.value(target)) === text);
  }

  /** Chooses from a native list, or sets a date. */
  async choose(target: Target, value: string): Promise<void> {
    await this.shows(target);
    await this.run(inPage.call('setValue', sent(target), value));
  }
}

/** Keys that write no character, by their code points in WebDriver. */
export const keys = { backspace: '\uE003', enter: '\uE007', escape: '\uE00C' };
