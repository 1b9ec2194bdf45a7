/** Unsent forms on this device, sealed for the person who writes them. */
import type { ClinicDatabase } from '../db/database.ts';
import { openPersonal, sealPersonal } from './keys.ts';
import { fromBase64Url } from './token.ts';

/** A file of a form as it is sealed: sealed values are JSON. */
interface PackedFile {
  file: { name: string; type: string; base64: string };
}

/** Packed files by file, because a form is stored after every pause in typing. */
const packedFiles = new WeakMap<File, PackedFile>();

/** The number of bytes that one call can turn into characters. */
const chunkBytes = 32_768;

async function pack(value: unknown): Promise<unknown> {
  if (!(value instanceof File)) return value;
  const known = packedFiles.get(value);
  if (known) return known;
  const bytes = new Uint8Array(await value.arrayBuffer());
  let characters = '';
  for (let at = 0; at < bytes.length; at += chunkBytes)
    characters += String.fromCharCode(...bytes.subarray(at, at + chunkBytes));
  const packed = { file: { name: value.name, type: value.type, base64: btoa(characters) } };
  packedFiles.set(value, packed);
  return packed;
}

function unpack(value: unknown): unknown {
  const { file } = (value ?? {}) as Partial<PackedFile>;
  if (typeof file?.base64 !== 'string') return value;
  return new File([fromBase64Url(file.base64)], file.name, { type: file.type });
}

export async function readDraft<Value>(db: ClinicDatabase, key: string): Promise<Value | null> {
  const row = await db.drafts.get(key);
  const draft = row && (await openPersonal<Record<string, unknown>>(row.value));
  return draft
    ? (Object.fromEntries(Object.entries(draft).map(([field, value]) => [field, unpack(value)])) as Value)
    : null;
}

/** @param value the fields of a form, some of which may be files. @returns false while the app is locked, when nothing can be sealed */
export async function keepDraft(db: ClinicDatabase, key: string, value: object): Promise<boolean> {
  const fields = await Promise.all(Object.entries(value).map(async ([field, each]) => [field, await pack(each)]));
  const sealed = await sealPersonal(Object.fromEntries(fields));
  if (sealed) await db.drafts.put({ key, value: sealed });
  return sealed !== null;
}
