/**
 * An Excel workbook written as a stream: rows go in, bytes come out, so it may be longer than memory. Several sheets
 * may be filled at once; the file contains them in the order in which they were added.
 */
import { cellXml, escaped, stylesXml } from './workbook-cells.ts';
import type { Cell } from './workbook-cells.ts';
import { ZipStream } from '#server/zip-stream.ts';
import type { ZipFile } from '#server/zip-stream.ts';

/** Excel's limit. */
export const rowsPerSheet = 1_048_576;

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const documentRelations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships';
const contentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

export interface SheetShape {
  /** At most 31 characters, none of `: \ / ? * [ ]`, and unique in the workbook. */
  name: string;
  /** The width of each column in characters. */
  widths: readonly number[];
  /** The first row is a header: it stays visible and has filters. */
  hasHead: boolean;
}

export class Workbook {
  private readonly zip: ZipStream;
  private readonly sheets: Sheet[] = [];

  /** @param atMs creation time, milliseconds since 1970 */
  constructor(atMs: number) {
    this.zip = new ZipStream(atMs);
  }

  sheet(shape: SheetShape): Sheet {
    const sheet = new Sheet(
      shape,
      this.zip.file(`xl/worksheets/sheet${this.sheets.length + 1}.xml`),
      this.sheets.length === 0,
    );
    this.sheets.push(sheet);
    return sheet;
  }

  /** Returns the bytes that are ready to be sent. */
  take(): Uint8Array[] {
    return this.zip.take();
  }

  /** Writes the rest of the workbook. All sheets must have ended. */
  async end(): Promise<void> {
    const numbered = this.sheets.map(({ shape }, index) => ({ name: escaped(shape.name), number: index + 1 }));
    const each = (text: (sheet: { name: string; number: number }) => string) => numbered.map(text).join('');
    const styles = numbered.length + 1;
    const parts = {
      'xl/styles.xml': stylesXml,
      'xl/workbook.xml': `${declaration}<workbook xmlns="${main}" xmlns:r="${documentRelations}"><sheets>${each(
        ({ name, number }) => `<sheet name="${name}" sheetId="${number}" r:id="rId${number}"/>`,
      )}</sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': `${declaration}<Relationships xmlns="${packageRelations}">${each(
        ({ number }) =>
          `<Relationship Id="rId${number}" Type="${documentRelations}/worksheet" Target="worksheets/sheet${number}.xml"/>`,
      )}<Relationship Id="rId${styles}" Type="${documentRelations}/styles" Target="styles.xml"/></Relationships>`,
      '_rels/.rels': `${declaration}<Relationships xmlns="${packageRelations}"><Relationship Id="rId1" Type="${documentRelations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
      '[Content_Types].xml': `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${contentType}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${contentType}.styles+xml"/>${each(
        ({ number }) =>
          `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${contentType}.worksheet+xml"/>`,
      )}</Types>`,
    };
    for (const [name, text] of Object.entries(parts)) {
      const file = this.zip.file(name);
      await file.write(text);
      await file.end();
    }
    this.zip.end();
  }

  destroy(): void {
    this.zip.destroy();
  }
}

/** Text is compressed in chunks of this many characters, small enough to block the event loop only briefly. */
const pieceLength = 32_768;

export class Sheet {
  private rows = 0;
  private pending: string;

  constructor(
    readonly shape: SheetShape,
    private readonly file: ZipFile,
    isFirst: boolean,
  ) {
    const pane = shape.hasHead
      ? '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft"/>'
      : '';
    const columns = shape.widths
      .map((width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`)
      .join('');
    this.pending = `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView${isFirst ? ' tabSelected="1"' : ''} workbookViewId="0">${pane}</sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/><cols>${columns}</cols><sheetData>`;
  }

  get isFull(): boolean {
    return this.rows >= rowsPerSheet;
  }

  /** @returns whether a chunk is full; the caller then awaits `flush` */
  add(cells: readonly Cell[]): boolean {
    this.rows += 1;
    const row = this.rows;
    this.pending += `<row r="${row}">${cells.map((cell, index) => cellXml(cell, `${columnName(index)}${row}`)).join('')}</row>`;
    return this.pending.length >= pieceLength;
  }

  async flush(): Promise<void> {
    const text = this.pending;
    this.pending = '';
    await this.file.write(text);
  }

  /** @param filtered the number of rows that filters apply to, including the header but not the totals */
  async end(filtered = this.rows): Promise<void> {
    const filter = this.shape.hasHead
      ? `<autoFilter ref="A1:${columnName(this.shape.widths.length - 1)}${filtered}"/>`
      : '';
    this.pending += `</sheetData>${filter}<pageMargins left="0.5" right="0.5" top="0.6" bottom="0.6" header="0.3" footer="0.3"/><pageSetup paperSize="9" orientation="landscape"/></worksheet>`;
    await this.flush();
    await this.file.end();
  }
}

/** Returns the letter of a column. No sheet here has more than 26. */
const columnName = (index: number): string => String.fromCharCode(65 + index);
