import { useEffect, useState } from 'react';
import type { Language } from '../../../domain/language.ts';
import { suggestLanguage } from '../../i18n/i18n.ts';

export interface DemoAccount {
  role: 'admin' | 'manager' | 'counter';
  email: string;
  password: string;
}

/** What the server tells somebody who has not signed in. The accounts are empty outside a demonstration. */
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
    fetchOptions(AbortSignal.any([abort.signal, AbortSignal.timeout(timeoutMs)])).then(
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

/** A plain fetch: this one call is no reason to load the API client before the form shows. */
async function fetchOptions(signal: AbortSignal): Promise<SessionOptions> {
  const response = await fetch('/api/session-options', { signal });
  const { data } = (await response.json()) as { data: SessionOptions };
  return data;
}
