import { useEffect, useState } from 'react';
import type { Language } from '#domain/language.ts';
import type { Role } from '#domain/staff/roles.ts';
import { anySignal } from '#src/db/any-signal.ts';
import { suggestLanguage } from '#src/i18n/i18n.ts';

export interface DemoAccount {
  role: Role;
  email: string;
  password: string;
}

/** Public settings that the server returns before sign-in. `accounts` is empty outside a demo. */
export interface SessionOptions {
  demo: boolean;
  practice_name: string;
  default_language: Language;
  accounts: DemoAccount[];
}

const timeoutMs = 10_000;

export function useSessionOptions(): { options: SessionOptions | null; unreachable: boolean } {
  const [options, setOptions] = useState<SessionOptions | null>(null);
  const [unreachable, setUnreachable] = useState(false);
  useEffect(() => {
    const abort = new AbortController();
    fetchOptions(anySignal([abort.signal, AbortSignal.timeout(timeoutMs)])).then(
      (answer) => {
        suggestLanguage(answer.default_language);
        setOptions(answer);
      },
      () => {
        if (!abort.signal.aborted) setUnreachable(true);
      },
    );
    return () => abort.abort();
  }, []);
  return { options, unreachable };
}

/** Uses a plain fetch, so that the form shows without the API client. */
async function fetchOptions(signal: AbortSignal): Promise<SessionOptions> {
  const response = await fetch('/api/session-options', { signal });
  const { data } = (await response.json()) as { data: SessionOptions };
  return data;
}
