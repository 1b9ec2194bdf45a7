import { maxTableBytes } from '../../../../domain/uploads.ts';

export type CsvFileFault = 'notCsv' | 'tooLarge' | 'empty';

/** The text of a file that may be a table; a spreadsheet that does not write UTF-8 writes the letters of Windows. */
export async function readCsvFile(file: File): Promise<{ text: string } | { fault: CsvFileFault }> {
  if (!/\.(csv|txt)$/i.test(file.name)) return { fault: 'notCsv' };
  if (file.size > maxTableBytes) return { fault: 'tooLarge' };
  const bytes = new Uint8Array(await file.arrayBuffer());
  // Text holds no NUL; a spreadsheet's own format under another name does.
  if (bytes.includes(0)) return { fault: 'notCsv' };
  const text = decoded(bytes);
  return text.trim() === '' ? { fault: 'empty' } : { text };
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
