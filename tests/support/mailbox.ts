/** A local SMTP server that stores the messages it accepts. */
import { SMTPServer } from 'smtp-server';
import type { AddressInfo } from 'node:net';

export interface Message {
  to: string[];
  headers: Record<string, string>;
  text: string;
  html: string;
}

export class Mailbox {
  readonly messages: Message[] = [];
  /** Error reply to all messages while it is set; null accepts them. */
  refusal: { responseCode: number; message: string } | null = null;
  attempts = 0;
  private server: SMTPServer;

  private constructor() {
    this.server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('end', () => {
            this.attempts += 1;
            if (this.refusal) return done(Object.assign(new Error(this.refusal.message), this.refusal));
            this.messages.push(
              read(
                Buffer.concat(chunks).toString('latin1'),
                session.envelope.rcptTo.map(({ address }) => address),
              ),
            );
            done();
          });
      },
    });
  }

  static async open(): Promise<Mailbox> {
    const box = new Mailbox();
    await new Promise<void>((resolve) => box.server.listen(0, '127.0.0.1', resolve));
    return box;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.server.server.address() as AddressInfo).port}`;
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.server.close(resolve));
  }
}

/** @param raw the message as it was sent, one character per byte */
function read(raw: string, to: string[]): Message {
  const whole = partOf(raw);
  const boundary = /boundary="?([^";]+)"?/.exec(whole.headers['content-type'] ?? '')?.[1];
  const parts = boundary
    ? whole.body
        .split(`--${boundary}`)
        .slice(1, -1)
        .map((part) => partOf(part.replace(/^\r\n/, '')))
    : [whole];
  const textOf = (type: string) => {
    const part = parts.find(({ headers }) => headers['content-type']?.startsWith(type));
    return part ? decoded(part.body, part.headers['content-transfer-encoding']) : '';
  };
  return { to, headers: whole.headers, text: textOf('text/plain'), html: textOf('text/html') };
}

function partOf(raw: string): { headers: Record<string, string>; body: string } {
  const end = raw.indexOf('\r\n\r\n');
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = lines.map(
    (line) =>
      [line.slice(0, line.indexOf(':')).toLowerCase(), words(line.slice(line.indexOf(':') + 1).trim())] as const,
  );
  return { headers: Object.fromEntries(headers), body: raw.slice(end + 4) };
}

/** Decodes the encoded words of a header: text other than ASCII is sent as RFC 2047 describes. */
const words = (text: string): string =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?(b|q)\?([^?]*)\?=/gi, (_, way: string, coded: string) =>
      decoded(
        way.toLowerCase() === 'b' ? coded : coded.replaceAll('_', ' '),
        way.toLowerCase() === 'b' ? 'base64' : 'quoted-printable',
      ),
    );

function decoded(body: string, encoding = '7bit'): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return Buffer.from(body, 'latin1').toString('utf8');
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
