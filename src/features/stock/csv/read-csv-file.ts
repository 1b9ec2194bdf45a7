import { maxTableBytes } from '#domain/uploads.ts';

export type CsvFileFault = 'notCsv' | 'tooLarge' | 'empty';

/** Reads the text of a CSV file as UTF-8, or as Windows-1252 if it is not valid UTF-8. */
export async function readCsvFile(file: File): Promise<{ text: string } | { fault: CsvFileFault }> {
  if (!/\.(csv|txt)$/i.test(file.name)) return { fault: 'notCsv' };
  if (file.size > maxTableBytes) return { fault: 'tooLarge' };
  const bytes = new Uint8Array(await file.arrayBuffer());
  // Text contains no NUL byte, unlike a renamed file in a binary spreadsheet format.
  if (bytes.includes(0)) return { fault: 'notCsv' };
  const text = decode(bytes);
  return text.trim() === '' ? { fault: 'empty' } : { text };
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
