/** Measures the JavaScript heap of a tablet's service worker through the DevTools protocol. */
import type { Browser, CDPSession } from '@playwright/test';

interface Target {
  targetId: string;
  type: string;
  url: string;
}

export class WorkerHeap {
  private lastId = 0;
  private readonly waiting = new Map<number, (result: { usedSize: number }) => void>();

  private constructor(
    private readonly cdp: CDPSession,
    private readonly sessionId: string,
  ) {
    cdp.on('Target.receivedMessageFromTarget', ({ sessionId: from, message }) => {
      if (from !== sessionId) return;
      const { id, result } = JSON.parse(message) as { id: number; result: { usedSize: number } };
      this.waiting.get(id)?.(result);
      this.waiting.delete(id);
    });
  }

  /** @param origin of the worker's script */
  static async of(browser: Browser, origin: string): Promise<WorkerHeap> {
    const cdp = await browser.newBrowserCDPSession();
    const { targetInfos } = (await cdp.send('Target.getTargets', { filter: [{ type: 'service_worker' }] })) as {
      targetInfos: Target[];
    };
    const target = targetInfos.find(({ url }) => url.startsWith(origin));
    if (!target) throw new Error('No service worker is running.');
    const { sessionId } = await cdp.send('Target.attachToTarget', { targetId: target.targetId, flatten: false });
    return new WorkerHeap(cdp, sessionId);
  }

  /** Returns the used heap in megabytes, including garbage that is not collected yet. */
  async used(): Promise<number> {
    return (await this.send('Runtime.getHeapUsage')).usedSize / 1_000_000;
  }

  /** Returns the used heap in megabytes after a garbage collection. */
  async kept(): Promise<number> {
    await this.send('HeapProfiler.collectGarbage');
    return this.used();
  }

  private async send(method: string): Promise<{ usedSize: number }> {
    this.lastId += 1;
    const id = this.lastId;
    const answer = new Promise<{ usedSize: number }>((resolve) => this.waiting.set(id, resolve));
    await this.cdp.send('Target.sendMessageToTarget', {
      sessionId: this.sessionId,
      message: JSON.stringify({ id, method }),
    });
    return answer;
  }
}
