/** The way to the mail server. */
import { createTransport } from 'nodemailer';
import type { SmtpAccess } from '../../config.ts';
import { html, plainText } from './render-email.ts';
import type { Email } from './render-email.ts';

export interface Mailer {
  /**
   * Resolves when the mail server has taken the letter.
   *
   * @param id what names it to whoever receives it: the same letter sent again is recognised by it
   */
  send(letter: Email, to: string, id: string): Promise<void>;
}

/** A mail server that does not answer is given up rather than waited for. */
const patienceMs = 15_000;

export function smtpMailer({ url, from }: SmtpAccess): Mailer {
  const transport = createTransport({
    url,
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: 2 * patienceMs,
  });
  const domain = /@([^\s@>]+)>?$/.exec(from)![1]!;
  return {
    async send(letter, to, id) {
      await transport.sendMail({
        from,
        to,
        subject: letter.subject,
        text: plainText(letter),
        html: html(letter),
        messageId: `<${id}@${domain}>`,
        // Nobody's holiday reply is wanted.
        headers: { 'auto-submitted': 'auto-generated' },
        disableFileAccess: true,
        disableUrlAccess: true,
      });
    },
  };
}
