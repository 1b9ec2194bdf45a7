import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { UploadPurpose } from '../../domain/uploads.ts';
import { api, faultOf, faultText } from './client.ts';
import { toast } from '../ui/toaster.tsx';

export interface Upload {
  /** @returns the address under which the file is kept; null if it is not, and a toast has said why */
  send: (file: File) => Promise<string | null>;
  /** Why the last file was not taken, for the field that holds it. */
  error: string | undefined;
  /** Another file was chosen, or none. */
  forget: () => void;
}

/** Hands files to the server. */
export function useUpload(purpose: UploadPurpose): Upload {
  const { t } = useTranslation();
  const [error, setError] = useState<string>();
  async function send(file: File): Promise<string | null> {
    setError(undefined);
    const url = await post(file, purpose).catch(async (thrown: unknown) => ({ fault: await faultOf(thrown) }));
    if (typeof url === 'string') return url;
    const text = url ? faultText(t, url.fault) : t(`upload.${purpose}.noUrl`);
    setError(text);
    toast({ tone: 'error', title: t(`upload.${purpose}.title`), text });
    return null;
  }
  return { send, error, forget: () => setError(undefined) };
}

/** Null from a server that took the file and does not say where it is. */
async function post(file: File, purpose: UploadPurpose): Promise<string | null> {
  const body = new FormData();
  body.append('purpose', purpose);
  body.append('file', file);
  const { data } = await api.post('upload/file', { body }).json<{ data?: { url?: string } }>();
  return data?.url || null;
}
