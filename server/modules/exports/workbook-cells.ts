/**
 * Cells of a sheet as SpreadsheetML. Numbers and dates are typed; text is always text, even when it looks like a
 * formula.
 */
import { dayMs } from '#domain/durations.ts';

/** The styles of a cell; a style's index is its number in the style sheet. */
const styles = ['plain', 'head', 'guarded', 'day', 'moment', 'amount', 'quantity', 'boldText', 'boldAmount'] as const;
type CellStyle = (typeof styles)[number];

export type Cell =
  | { kind: 'text'; text: string; isBold?: boolean }
  | { kind: 'head'; text: string }
  /** A wire decimal. */
  | { kind: 'amount'; amount: number; isBold?: boolean }
  | { kind: 'quantity'; quantity: number }
  /** A calendar day, YYYY-MM-DD. */
  | { kind: 'day'; day: string }
  /** A wall clock time as if it were UTC: milliseconds since 1970. */
  | { kind: 'moment'; wallMs: number }
  | null;

/** The cells of a row of headings. */
export const heads = (names: readonly string[]): Cell[] => names.map((name) => ({ kind: 'head', text: name }));

const attribute = (style: CellStyle): string => (style === 'plain' ? '' : ` s="${styles.indexOf(style)}"`);

/** @param place the cell's reference, such as `B7` */
export function cellXml(cell: Cell, place: string): string {
  if (!cell) return '';
  switch (cell.kind) {
    case 'head':
      return textXml(cell.text, 'head', place);
    case 'text':
      return textXml(cell.text, cell.isBold ? 'boldText' : looksLikeFormula(cell.text) ? 'guarded' : 'plain', place);
    case 'amount':
      return numberXml(cell.amount, cell.isBold ? 'boldAmount' : 'amount', place);
    case 'quantity':
      return numberXml(cell.quantity, 'quantity', place);
    case 'day':
      return numberXml(serialOf(Date.parse(cell.day)), 'day', place);
    case 'moment':
      return numberXml(serialOf(cell.wallMs), 'moment', place);
  }
}

const numberXml = (value: number, style: CellStyle, place: string): string =>
  `<c r="${place}"${attribute(style)}><v>${value}</v></c>`;

function textXml(text: string, style: CellStyle, place: string): string {
  if (text === '' && style === 'plain') return '';
  const content = escaped(text.slice(0, longestText));
  return `<c r="${place}" t="inlineStr"${attribute(style)}><is><t xml:space="preserve">${content}</t></is></c>`;
}

/** Excel cannot open a file with a longer cell. */
const longestText = 32_767;

/** Such a text becomes a formula when someone edits the cell, unless the style marks it as text. */
const looksLikeFormula = (text: string): boolean => /^[=+\-@\t\r\0]/.test(text);

/** Excel counts days from 30 December 1899. */
const serialOf = (ms: number): number => ms / dayMs + 25_569;

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text for XML and drops what XML cannot contain: most control characters and lone surrogates. */
export function escaped(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/(?![\t\n])\p{Cc}|[\uFFFE\uFFFF]|\p{Surrogate}/gu, '')
    .replace(/[&<>"]/g, (sign) => entities[sign]!);
}

/** The style sheet with the styles above. Number formats below 164 are built into Excel. */
export const stylesXml = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">
<numFmts count="3"><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/><numFmt numFmtId="165" formatCode="dd/mm/yyyy hh:mm"/><numFmt numFmtId="166" formatCode="#,##0.###"/></numFmts>
<fonts count="3"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><color rgb="FFFFFFFF"/><name val="Calibri"/></font></fonts>
<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FF0B5150"/><bgColor indexed="64"/></patternFill></fill></fills>
<borders count="2"><border><left/><right/><top/><bottom/><diagonal/></border><border><left/><right/><top style="thin"><color auto="1"/></top><bottom/><diagonal/></border></borders>
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>
<cellXfs count="${styles.length}">
<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>
<xf numFmtId="0" fontId="2" fillId="2" borderId="0" xfId="0" applyFont="1" applyFill="1" applyAlignment="1"><alignment vertical="center"/></xf>
<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" quotePrefix="1" applyNumberFormat="1"/>
<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>
<xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>
<xf numFmtId="4" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>
<xf numFmtId="166" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>
<xf numFmtId="0" fontId="1" fillId="0" borderId="1" xfId="0" applyFont="1" applyBorder="1"/>
<xf numFmtId="4" fontId="1" fillId="0" borderId="1" xfId="0" applyNumberFormat="1" applyFont="1" applyBorder="1"/>
</cellXfs>
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>
</styleSheet>`;
