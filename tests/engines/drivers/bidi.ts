/** A WebDriver BiDi session: commands to a browser and its events, over one WebSocket. https://w3c.github.io/webdriver-bidi/ */
import { WebSocket } from 'ws';
import { BrowserEnded } from './ending.ts';

interface Reply {
  id?: number;
  type: 'success' | 'error' | 'event';
  result?: unknown;
  error?: string;
  message?: string;
  method?: string;
  params?: unknown;
}

interface Waiting {
  resolve: (result: never) => void;
  reject: (error: Error) => void;
}

/** No command of these tests takes longer, except where a page hangs. */
const replyMs = 120_000;

export class BidiSession {
  private lastId = 0;
  private ending = '';
  private readonly waiting = new Map<number, Waiting>();
  private readonly listeners = new Map<string, (params: never) => void>();

  private constructor(private readonly socket: WebSocket) {
    socket.addEventListener('message', ({ data }) => this.receive(JSON.parse(data as string) as Reply));
    socket.addEventListener('close', ({ code }) => {
      this.ending = `it closed the connection with code ${code}`;
      for (const { reject } of this.waiting.values()) reject(new BrowserEnded(this.ending));
      this.waiting.clear();
    });
  }

  /** @param address of the browser's remote agent, `ws://…` */
  static async connect(address: string): Promise<BidiSession> {
    // The WebSocket of Node.js 20 is experimental and loses its connection after some thousand commands.
    const socket = new WebSocket(`${address}/session`, { perMessageDeflate: false });
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve());
      socket.addEventListener('error', () => reject(new Error(`No connection to ${address}.`)));
    });
    const session = new BidiSession(socket);
    await session.command('session.new', { capabilities: {} });
    return session;
  }

  command<T>(method: string, params: object = {}): Promise<T> {
    if (this.socket.readyState !== WebSocket.OPEN) return Promise.reject(new BrowserEnded(this.ending));
    const id = ++this.lastId;
    this.socket.send(JSON.stringify({ id, method, params }));
    return new Promise<T>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.delete(id);
        reject(new Error(`${method} was not answered within ${replyMs / 1000} s.`));
      }, replyMs);
      this.waiting.set(id, {
        resolve: (result: T) => {
          clearTimeout(timer);
          resolve(result);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      });
    });
  }

  /** Subscribes to an event of all tabs. */
  async on(event: string, listener: (params: never) => void): Promise<void> {
    this.listeners.set(event, listener);
    await this.command('session.subscribe', { events: [event] });
  }

  private receive({ id, type, result, error, message, method, params }: Reply): void {
    if (type === 'event') {
      this.listeners.get(method!)?.(params as never);
      return;
    }
    const waiting = this.waiting.get(id!);
    this.waiting.delete(id!);
    if (type === 'success') waiting?.resolve(result as never);
    else waiting?.reject(new Error(`${error}: ${message}`));
  }
}
