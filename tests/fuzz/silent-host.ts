/** A mail server that takes connections and says nothing, and an administrator who keeps asking for test mails. */
import { setTimeout as sleep } from 'node:timers/promises';
import { muteMailServer } from '../support/mute-mail-server.ts';

/** As many wait at once. */
const asking = 4;

export interface SilentHost {
  environment: Record<string, string>;
  /** Asks as somebody, until the host is closed. */
  keepAsking: (url: string, headers: Record<string, string>) => void;
  close: () => void;
}

export async function silentHost(): Promise<SilentHost> {
  const mail = await muteMailServer();
  const leaving = new AbortController();
  const ask = async (url: string, headers: Record<string, string>): Promise<void> => {
    while (!leaving.signal.aborted) {
      const call = { method: 'POST', headers, signal: leaving.signal };
      const reply = await fetch(`${url}/api/settings/test-mail`, call).catch(() => null);
      await reply?.arrayBuffer().catch(() => undefined);
      await sleep(500, undefined, { ref: false });
    }
  };
  return {
    environment: { SMTP_URL: mail.url, SMTP_FROM: 'reports@clinic.test' },
    keepAsking: (url, headers) => {
      for (let count = 0; count < asking; count += 1) void ask(url, headers);
    },
    close: () => {
      leaving.abort();
      mail.close();
    },
  };
}
