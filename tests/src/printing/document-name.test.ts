import { expect, test, vi } from 'vitest';

/** The printer watches the page, of which Node has none. */
vi.hoisted(() => void ((globalThis as { addEventListener?: unknown }).addEventListener ??= () => undefined));

test('a document is named by its number, and one without a number by its treatment', async () => {
  const { documentName } = await import('#src/printing/use-document-printer.ts');
  expect(documentName({ number: 'INV-A7-000123', order_id: '018f' })).toBe('INV-A7-000123');
  expect(documentName({ number: null, order_id: '018f' })).toBe('INV-018f');
});
