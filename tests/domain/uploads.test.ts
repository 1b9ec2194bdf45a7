import { expect, test } from 'vitest';
import { decideUpload, maxUploadBytes, uploadExtensions } from '#domain/uploads.ts';
import type { OfferedFile } from '#domain/uploads.ts';

const offered = (over: Partial<OfferedFile>): OfferedFile => ({
  name: 'gloves.png',
  mediaType: 'image/png',
  size: 1000,
  ...over,
});

test.each<[string, Partial<OfferedFile>, object | string]>([
  ['an image without a purpose is a picture', {}, { purpose: 'picture', mediaType: 'image/png' }],
  [
    'a PDF without a purpose is a receipt',
    { name: 'A.PDF', mediaType: 'application/pdf' },
    { purpose: 'receipt', mediaType: 'application/pdf' },
  ],
  [
    'an image may be a receipt',
    { purpose: 'receipt', name: 'till.jpeg', mediaType: 'image/jpeg' },
    { purpose: 'receipt', mediaType: 'image/jpeg' },
  ],
  ['a JPEG may be called PNG', { mediaType: 'image/jpeg' }, { purpose: 'picture', mediaType: 'image/jpeg' }],
  ['10 MB are accepted', { size: maxUploadBytes }, { purpose: 'picture', mediaType: 'image/png' }],
  ['one byte more than 10 MB is refused', { size: maxUploadBytes + 1 }, 'FILE_TOO_LARGE'],
  ['an empty file is refused', { size: 0 }, 'FILE_MISSING'],
  ['a GIF is refused as a receipt', { purpose: 'receipt', name: 'a.gif', mediaType: 'image/gif' }, 'FILE_TYPE_REFUSED'],
  [
    'a PDF is refused as a picture',
    { purpose: 'picture', name: 'a.pdf', mediaType: 'application/pdf' },
    'FILE_TYPE_REFUSED',
  ],
  ['an SVG is refused', { name: 'a.png', mediaType: 'image/svg+xml' }, 'FILE_TYPE_REFUSED'],
  ['the name counts too', { name: 'a.png.html' }, 'FILE_TYPE_REFUSED'],
  ['what cannot be told is refused', { mediaType: null }, 'FILE_TYPE_REFUSED'],
])('%s', (_title, over, expected) => {
  const agreed = decideUpload(offered(over));
  expect(agreed.ok ? agreed.value : agreed.refusal.code).toEqual(expected);
});

test('returns the file extensions for a file dialog', () => {
  expect([uploadExtensions('picture'), uploadExtensions('receipt')]).toEqual([
    ['.png', '.jpg', '.jpeg', '.gif'],
    ['.png', '.jpg', '.jpeg', '.pdf'],
  ]);
});
