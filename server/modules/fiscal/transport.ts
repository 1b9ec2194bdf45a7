/** One call to the tax agency over HTTPS, with a clinic's certificate. */
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { AgencySystem } from '#domain/settings/settings.ts';
import type { ClientCertificate } from './certificate.ts';
import { maxRounds, roundsOf } from './pkcs12-rounds.ts';

export interface Agency {
  /**
   * Sends a SOAP message and returns what the agency answers, whatever its status.
   *
   * @throws Error when it was not reached, or no complete answer came in time
   */
  call(message: string, certificate: ClientCertificate): Promise<string>;
}

/** Returns which of the agency's systems takes the records that are sent to an address. */
export const systemAt = (serviceUrl: string): AgencySystem =>
  /^prewww\d*\.aeat\.es$/.test(new URL(serviceUrl).hostname) ? 'test' : 'production';

/** An answer has to come within this time. */
export const callTimeoutMs = 60_000;
/** A thousand lines of answers take about a megabyte. */
const mostBytes = 16 * 1024 * 1024;

export interface AgencyOptions {
  timeoutMs?: number;
  /** Who vouches for the agency; by default whom Node trusts. */
  ca?: Buffer;
}

export const agencyOver = (url: string, { timeoutMs = callTimeoutMs, ca }: AgencyOptions = {}): Agency => ({
  call: (message, { pkcs12, passphrase }) =>
    new Promise((resolve, reject) => {
      const isSecure = url.startsWith('https:');
      // The connection opens the file in this process and blocks it, for all clinics.
      if (roundsOf(pkcs12) > maxRounds) throw new Error('The certificate has too many rounds; upload another');
      const options = {
        method: 'POST',
        headers: {
          'content-type': 'text/xml; charset=utf-8',
          'content-length': Buffer.byteLength(message),
          soapaction: '""',
        },
        signal: AbortSignal.timeout(timeoutMs),
        agent: false as const,
      };
      const request = isSecure
        ? requestHttps(url, { ...options, pfx: pkcs12, passphrase, ...(ca && { ca }) })
        : requestHttp(url, options);
      request.on('error', reject);
      request.on('response', (response) => {
        const chunks: Buffer[] = [];
        let length = 0;
        response.on('data', (chunk: Buffer) => {
          length += chunk.length;
          if (length > mostBytes) request.destroy(new Error('The answer is too long'));
          else chunks.push(chunk);
        });
        response.on('error', reject);
        response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
      });
      request.end(message);
    }),
});
