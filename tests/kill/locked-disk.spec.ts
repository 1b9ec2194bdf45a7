/** Looks for secrets in all files of the browser's profile: what somebody has who takes the tablet. */
import type { BrowserContext, Page } from '@playwright/test';
import { chromiumOptions } from '../support/chromium.ts';
import { lock, locked, pins, setPin, tapPin } from '../e2e/pins.ts';
import { expect, test } from '../e2e/fixtures.ts';
import { CounterBrowser } from './counter-browser.ts';
import { cookiesIn, filesWith } from './profile-files.ts';
import type { Secret } from './profile-files.ts';

declare global {
  interface Window {
    /** Tells the test the bytes of a key, in hexadecimal digits. */
    tellKey?: (hex: string) => void;
  }
}

/** Tells the test the bytes of each key that seals and opens, whatever the app asked the browser to hide. */
function watchKeys(): void {
  const subtle = globalThis.crypto?.subtle;
  if (!subtle) return;
  const [unwrap, generate, read] = [
    subtle.unwrapKey.bind(subtle),
    subtle.generateKey.bind(subtle),
    subtle.exportKey.bind(subtle),
  ];
  const tell = async (key: CryptoKey): Promise<void> => {
    if (key.algorithm.name !== 'AES-GCM') return;
    const bytes = new Uint8Array(await read('raw', key));
    window.tellKey?.(Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(''));
  };
  subtle.unwrapKey = async (...given: Parameters<typeof unwrap>) => {
    const [format, wrapped, wrapping, how, kind, , uses] = given;
    await tell(await unwrap(format, wrapped, wrapping, how, kind, true, uses));
    return unwrap(...given);
  };
  subtle.generateKey = (async (kind: AesKeyGenParams, extractable: boolean, uses: KeyUsage[]) => {
    const key = await generate(kind, true, uses);
    await tell(key);
    return extractable ? key : subtle.importKey('raw', await read('raw', key), kind, false, uses);
  }) as typeof subtle.generateKey;
}

/** The secrets that the app has had, by name. */
class Secrets {
  readonly all = new Map<string, Secret>();
  /** The tokens with which the app may do what its person may. */
  readonly tokens: string[] = [];

  async watch(context: BrowserContext): Promise<void> {
    await context.exposeFunction('tellKey', (hex: string) =>
      this.all.set(`data key ${hex.slice(0, 4)}`, { bytes: Buffer.from(hex, 'hex') }),
    );
    await context.addInitScript(watchKeys);
    const follow = (page: Page) =>
      page.on('response', (response) => {
        if (/^\/api\/(users\/login|devices|auth\/)/.test(new URL(response.url()).pathname))
          response.json().then(
            (body) => this.read(body),
            () => undefined,
          );
      });
    context.pages().forEach(follow);
    context.on('page', follow);
  }

  private read({
    data,
  }: {
    data?: { accessToken?: string; actor_key?: string; token?: string; page_token?: string } | null;
  }): void {
    if (data?.actor_key) this.all.set('actor key', { bytes: Buffer.from(data.actor_key, 'base64url') });
    for (const token of [data?.accessToken, data?.page_token, data?.token]) {
      if (!token || this.tokens.includes(token)) continue;
      this.tokens.push(token);
      // Without its signature a token names a person, and opens nothing.
      this.all.set(`token ${this.tokens.length}`, { text: token.slice(token.lastIndexOf('.') + 1) });
    }
  }
}

test('SECURITY after a lock and after a sign-out no file of the browser has a key or a token that opens anything @long', async ({
  clinic,
}) => {
  test.slow();
  const secrets = new Secrets();
  const browser = await CounterBrowser.create(clinic, chromiumOptions, {
    prepare: (context) => secrets.watch(context),
  });
  /** Fails if a file has a secret. Browsers write cookies late, so a token there must be dead. */
  async function expectNothing(): Promise<void> {
    await expect(async () => expect(filesWith(browser.profile, secrets.all)).toEqual([])).toPass({
      timeout: 5_000,
    });
    for (const token of secrets.tokens.filter((one) => cookiesIn(browser.profile).includes(one)))
      expect((await fetch(`${clinic.url}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(
        401,
      );
  }
  async function unlockAndSell(): Promise<void> {
    const { tablet } = browser;
    await tapPin(tablet.page, pins.counter);
    await tablet.counterReady();
    const invoice = await tablet.sellForCash();
    await invoice.close();
  }

  let { page } = browser.tablet;
  await (await browser.tablet.sellForCash()).close();
  await setPin(page, 'counter');
  await page.goto('/');
  await lock(page);
  expect([...secrets.all.keys()]).toEqual(expect.arrayContaining(['actor key', 'token 1']));
  expect([...secrets.all.keys()].some((name) => name.startsWith('data key'))).toBe(true);
  await expectNothing();

  await unlockAndSell();
  await lock(page);
  await expectNothing();

  // A reload asks for nothing, also without a network. A browser that ends without warning leaves what a reload needs.
  await unlockAndSell();
  await browser.tablet.context.setOffline(true);
  await page.reload();
  await browser.tablet.counterReady();
  await (await browser.tablet.sellForCash()).close();
  expect(filesWith(browser.profile, secrets.all)).not.toEqual([]);
  // Browsers write cookies within half a minute. One that has none asks for the password.
  const cookieIsWritten = () => secrets.tokens.some((token) => cookiesIn(browser.profile).includes(token));
  await expect.poll(cookieIsWritten, { timeout: 60_000 }).toBe(true);
  await browser.kill();
  await browser.start();
  page = browser.tablet.page;
  await page.goto('/');
  // Browsers write the end of a lock late too, so it may be back. Then it is a lock like another.
  const create = page.getByRole('tab', { name: 'Create treatment' });
  await expect(locked(page).or(create)).toBeVisible();
  if (await locked(page).isVisible()) {
    await expectNothing();
    await unlockAndSell();
  } else {
    // The payment that was made last may be the page that is back.
    await create.click();
    await browser.tablet.counterReady();
  }
  await lock(page);
  await expectNothing();

  await page.reload();
  await expect(locked(page)).toBeVisible();
  await unlockAndSell();
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
  await expectNothing();
  await browser.destroy();
});
