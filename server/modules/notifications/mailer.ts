/** The connection to the mail server. */
import { createTransport } from 'nodemailer';
import type { SmtpAccess } from '#server/config.ts';
import { html, plainText } from './render-email.ts';
import type { Email } from './render-email.ts';

export interface Mailer {
  /**
   * Resolves when the mail server has accepted the email.
   *
   * @param id the message id, by which mail programs recognise an email that is sent again
   */
  send(email: Email, to: string, id: string): Promise<void>;
}

/** Timeout for a mail server that does not answer. */
const timeoutMs = 15_000;

export function smtpMailer({ url, from }: SmtpAccess): Mailer {
  const transport = createTransport({
    url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: 2 * timeoutMs,
  });
  const domain = /@([^\s@>]+)>?$/.exec(from)![1]!;
  return {
    async send(email, to, id) {
      await transport.sendMail({
        from,
        to,
        subject: email.subject,
        text: plainText(email),
        html: html(email),
        messageId: `<${id}@${domain}>`,
        // Suppresses automatic replies.
        headers: { 'auto-submitted': 'auto-generated' },
        disableFileAccess: true,
        disableUrlAccess: true,
      });
    },
  };
}
