import type { BrowserContext } from '@playwright/test';

/** Lets POST requests reach the server and loses its replies. Returns a function that ends it. */
export async function loseReplies(context: BrowserContext, path: string): Promise<() => Promise<void>> {
  await context.route(path, async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await route.fetch();
    return route.abort();
  });
  return () => context.unroute(path);
}
