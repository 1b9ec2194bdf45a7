import sharp from 'sharp';
import { expect, test } from './fixtures.ts';

test('a picture that was seen once shows without a network, and the worker keeps no receipt', async ({ tablet }) => {
  const { page, context } = tablet;
  await tablet.signIn('manager');
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

  /** How wide the picture is that an `<img>` shows; 0 where it shows none. */
  const shown = () =>
    page.evaluate(async (address) => {
      const image = new Image();
      image.src = address;
      await image.decode().catch(() => undefined);
      return image.naturalWidth;
    }, addresses.picture);
  const kept = () =>
    page.evaluate(async () => {
      const keys = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
      return keys
        .flat()
        .map(({ url }) => new URL(url).pathname)
        .filter((pathname) => /uploads/.test(pathname));
    });
  expect(await shown()).toBe(60);
  await expect.poll(kept).toEqual([addresses.picture]);

  // The browser's own cache would show it too, for a while; what is proved is that the worker does.
  await (await context.newCDPSession(page)).send('Network.clearBrowserCache');
  await context.setOffline(true);
  await page.reload();
  await tablet.counterReady();
  expect(await shown()).toBe(60);
  expect(await kept()).toEqual([addresses.picture]);
});
