/** Renders an email as plain text and as HTML with the same content. The HTML loads nothing from elsewhere. */

export interface Email {
  subject: string;
  title: string;
  intro: string;
  sections: Section[];
  /** The reason for the email, and how to stop it. */
  closing: string;
}

export interface Section {
  title: string;
  /** The column heads; empty when each row is a name and a value. */
  head: string[];
  /** The last column contains figures. */
  rows: string[][];
}

export function plainText({ title, intro, sections, closing }: Email): string {
  return [title, intro, ...sections.map(plainSection), `--\n${closing}`].join('\n\n').concat('\n');
}

function plainSection({ title, head, rows }: Section): string {
  const lines = head.length > 0 ? [head, ...rows] : rows;
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]!.length))) ?? [];
  const last = widths.length - 1;
  const line = (cells: string[]) =>
    cells
      .map((cell, column) => (column === last ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!)))
      .join('  ');
  return [title, '-'.repeat(title.length), ...lines.map(line)].join('\n');
}

const ink = { text: '#152120', faint: '#5a6a69', house: '#0b5150', line: '#d5dedc', ground: '#eef4f3' };
const font = "font-family:Inter,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** Mail programs support tables and inline styles, and little else. */
export function html({ subject, title, intro, sections, closing }: Email): string {
  return `<!doctype html><html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${safe(subject)}</title></head>
<body style="margin:0;padding:24px 12px;background:${ink.ground};${font};color:${ink.text}">
<table role="presentation" align="center" width="600" cellpadding="0" cellspacing="0" style="max-width:600px;width:100%;background:#ffffff;border-radius:8px">
<tr><td style="padding:28px 32px 8px"><h1 style="margin:0 0 6px;font-size:22px;line-height:28px;color:${ink.house}">${safe(title)}</h1>
<p style="margin:0;font-size:15px;line-height:22px">${safe(intro)}</p></td></tr>
${sections.map(htmlSection).join('\n')}
<tr><td style="padding:20px 32px 28px;font-size:12px;line-height:18px;color:${ink.faint}">${safe(closing)}</td></tr>
</table></body></html>`;
}

function htmlSection({ title, head, rows }: Section): string {
  const cells = (line: string[], tag: 'td' | 'th') =>
    line
      .map(
        (cell, column) =>
          `<${tag} style="${cellStyle(tag, column > 0 && column === line.length - 1)}">${safe(cell)}</${tag}>`,
      )
      .join('');
  const headRow = head.length > 0 ? `<tr>${cells(head, 'th')}</tr>` : '';
  return `<tr><td style="padding:16px 32px 0"><h2 style="margin:0 0 4px;font-size:15px;line-height:22px">${safe(title)}</h2>
<table width="100%" cellpadding="0" cellspacing="0" style="border-collapse:collapse">${headRow}${rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('')}</table></td></tr>`;
}

function cellStyle(tag: 'td' | 'th', isFigure: boolean): string {
  const look = tag === 'th' ? `font-size:12px;font-weight:600;color:${ink.faint}` : 'font-size:14px';
  return `padding:7px ${isFigure ? 0 : 12}px 7px 0;border-bottom:1px solid ${ink.line};text-align:${isFigure ? 'right;white-space:nowrap' : 'left'};${look}`;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const safe = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign]!);
