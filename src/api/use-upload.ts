import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { UploadPurpose } from '#domain/uploads.ts';
import { api, faultOf, faultText } from './client.ts';
import { toast } from '../ui/toaster.tsx';

export interface Upload {
  /** @returns the URL of the stored file; null if the upload failed, after a toast with the reason */
  send: (file: File) => Promise<string | null>;
  /** Error of the last upload, for its form field. */
  error: string | undefined;
  /** Clears the error, because the file changed. */
  forget: () => void;
}

/** Uploads files. */
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

/** Returns null if the server stored the file but gave no URL. */
async function post(file: File, purpose: UploadPurpose): Promise<string | null> {
  const body = new FormData();
  body.append('purpose', purpose);
  body.append('file', file);
  const { data } = await api.post('upload/file', { body }).json<{ data?: { url?: string } }>();
  return data?.url || null;
}
