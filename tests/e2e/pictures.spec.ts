import sharp from 'sharp';
import { expect, test } from './fixtures.ts';

test('a picture that was shown once shows offline, and the worker caches no receipt', async ({ tabletOf }) => {
  const tablet = await tabletOf('manager');
  const { page, context } = tablet;
  await tablet.openCounter();
  const content = [
    ...(await sharp({ create: { width: 60, height: 40, channels: 3, background: '#2f9e8f' } })
      .png()
      .toBuffer()),
  ];

  const addresses = await page.evaluate(async (bytes) => {
    const token = /(?:^|; )pos_token=([^;]+)/.exec(document.cookie)![1]!;
    const headers = { authorization: `Bearer ${token}` };
    const upload = async (purpose: string) => {
      const form = new FormData();
      form.set('file', new File([new Uint8Array(bytes)], 'gloves.png'));
      form.set('purpose', purpose);
      const reply = await fetch('/api/upload/file', { method: 'POST', headers, body: form });
      return ((await reply.json()) as { data: { url: string } }).data.url;
    };
    const [picture, receipt] = [await upload('picture'), await upload('receipt')];
    return { picture, receipt, receiptStatus: (await fetch(receipt, { headers })).status };
  }, content);
  expect(addresses.receiptStatus).toBe(200);

  /** Returns the width of the loaded picture, or 0. */
  const loadedWidth = () =>
    page.evaluate(async (address) => {
      const image = new Image();
      image.src = address;
      await image.decode().catch(() => undefined);
      return image.naturalWidth;
    }, addresses.picture);
  const cachedPaths = () =>
    page.evaluate(async () => {
      const keys = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
      return keys
        .flat()
        .map(({ url }) => new URL(url).pathname)
        .filter((pathname) => pathname.includes('/uploads/'));
    });
  expect(await loadedWidth()).toBe(60);
  await expect.poll(cachedPaths).toContain(addresses.picture);

  // Without this the picture could come from the browser's HTTP cache instead of the worker.
  await (await context.newCDPSession(page)).send('Network.clearBrowserCache');
  await context.setOffline(true);
  await page.reload();
  await tablet.counterReady();
  expect(await loadedWidth()).toBe(60);
  // The pictures of the demo's services are there too, but no receipt.
  expect(await cachedPaths()).toContain(addresses.picture);
  expect(await cachedPaths()).not.toContain(addresses.receipt);
});

test('a picture is chosen from the library, in the colour of the category @long', async ({ tabletOf }) => {
  const tablet = await tabletOf('manager');
  const { page } = tablet;
  await page.goto('/services?service=new');
  const form = page.getByRole('dialog');
  await form.getByLabel('Category').selectOption({ label: 'Cosmetic & orthodontics' });
  await form.getByRole('button', { name: 'Choose from the pictures' }).click();
  await form.getByRole('list', { name: 'Pictures' }).getByRole('button', { name: 'Whitening' }).click();
  const picture = form.getByRole('img', { name: 'Current picture' });
  await expect(picture).toHaveAttribute('src', /^\/uploads\/\d+\/[0-9a-f-]{36}\.webp$/);
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(320);
  await expect(form.getByRole('list', { name: 'Pictures' })).toBeHidden();
});
