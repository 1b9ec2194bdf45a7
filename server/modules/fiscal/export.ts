/**
 * Exports fiscal records for an inspector: a zip archive, written as a stream. For each chain it contains parts of up to a
 * thousand records, each in two forms: JSON lines, with the seal and what the agency said, and XML by the agency's
 * schema. `index.json` lists the parts.
 */
import { isoOf } from '#domain/instant.ts';
import type { Sql } from '#server/db/sql.ts';
import { ZipStream } from '#server/zip-stream.ts';
import { recordsOfMonths } from './records-store.ts';
import type { ExportedRecord, Months } from './records-store.ts';
import { maxRecordsPerCall, submissionXml } from './xml.ts';
import type { InvoicingSystem } from './xml.ts';

interface ExportOptions {
  months: Months;
  /** Who made the system. Without a producer there is no XML, whose schema demands one. */
  system: InvoicingSystem | null;
  atMs: number;
}

interface IndexEntry {
  chain: string;
  device_id: number;
  issuer: string;
  first: { sequence: number; number: string };
  last: { sequence: number; number: string };
  records: number;
  files: string[];
}

export async function* recordsArchive(
  sql: Sql,
  clinicId: number,
  { months, system, atMs }: ExportOptions,
): AsyncGenerator<Uint8Array> {
  const zip = new ZipStream(atMs);
  const write = async (name: string, content: string): Promise<void> => {
    const file = zip.file(name);
    await file.write(content);
    await file.end();
  };
  const index: IndexEntry[] = [];
  try {
    for await (const part of partsOf(sql, clinicId, months)) {
      const entry = indexEntry(part, index.length + 1, system);
      index.push(entry);
      for (const name of entry.files)
        await write(name, name.endsWith('.xml') ? xmlOf(part, system!) : part.map(jsonLine).join(''));
      yield* zip.take();
    }
    await write('index.json', JSON.stringify({ exported_at: isoOf(atMs), ...months, parts: index }, null, 2));
    zip.end();
    yield* zip.take();
  } finally {
    zip.destroy();
  }
}

/** Returns the records in parts: of one chain, one issuer and at most a thousand each. */
async function* partsOf(sql: Sql, clinicId: number, months: Months): AsyncGenerator<ExportedRecord[]> {
  let part: ExportedRecord[] = [];
  let after: ExportedRecord | null = null;
  for (;;) {
    const page: ExportedRecord[] = await recordsOfMonths(sql, clinicId, {
      ...months,
      after,
      limit: maxRecordsPerCall,
    });
    for (const one of page) {
      const [first] = part;
      if (first && (part.length === maxRecordsPerCall || !isTogether(first, one))) {
        yield part;
        part = [];
      }
      part.push(one);
    }
    after = page.at(-1) ?? null;
    if (page.length < maxRecordsPerCall) break;
  }
  if (part.length > 0) yield part;
}

const isTogether = (a: ExportedRecord, b: ExportedRecord): boolean =>
  a.record.chain === b.record.chain && a.device_id === b.device_id && a.record.fields.issuer === b.record.fields.issuer;

function indexEntry(part: readonly ExportedRecord[], number: number, system: InvoicingSystem | null): IndexEntry {
  const [{ record, device_id }] = part as [ExportedRecord];
  const { chain, fields } = record;
  const name = `${String(number).padStart(4, '0')}-${chain}`;
  const placeOf = (one: ExportedRecord) => ({ sequence: one.record.sequence, number: one.record.fields.number });
  // Without a tax profile a record has no issuer, whom the schema demands.
  const hasXml = system !== null && fields.issuer !== '';
  return {
    chain,
    device_id,
    issuer: fields.issuer,
    first: placeOf(part[0]!),
    last: placeOf(part.at(-1)!),
    records: part.length,
    files: [`${name}.jsonl`, ...(hasXml ? [`${name}.xml`] : [])],
  };
}

const jsonLine = ({ device_id, receivedAtMs, state, code, message, record }: ExportedRecord): string =>
  `${JSON.stringify({ device_id, received_at: isoOf(receivedAtMs), state, code, message, record })}\n`;

function xmlOf(part: readonly ExportedRecord[], system: InvoicingSystem): string {
  const { issuer, issuer_name } = part.at(-1)!.record.fields;
  const records = part.map(({ record }) => record);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${submissionXml({ issuer: { name: issuer_name, taxId: issuer }, system, isLate: false, records })}\n`;
}
