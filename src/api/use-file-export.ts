import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { download } from '../ui/download.ts';
import { toast } from '../ui/toaster.tsx';
import { CallFailed, faultText } from './client.ts';
import { fetchFile } from './fetch-file.ts';
import type { FileProgress } from './fetch-file.ts';

interface FileExport {
  path: string;
  /** Body of the request, if the file is requested with a POST. */
  json?: unknown;
  /** File name used if the server gives none. */
  name: string;
  /** Title of the toast shown on success. */
  done: string;
  /** Title of the toast shown on failure. */
  failed: string;
}

interface RunningExport {
  path: string;
  /** Null until the server begins to answer. */
  progress: FileProgress | null;
}

/** Downloads files that the server generates, one at a time; `cancel` stops the running download. */
export function useFileExport(): {
  /** @returns whether the file was saved */
  run: (wanted: FileExport) => Promise<boolean>;
  running: RunningExport | null;
  cancel: () => void;
} {
  const { t } = useTranslation();
  const abort = useRef<AbortController>(undefined);
  const [running, setRunning] = useState<RunningExport | null>(null);
  async function run({ path, json, name, done, failed }: FileExport): Promise<boolean> {
    const controller = new AbortController();
    abort.current = controller;
    setRunning({ path, progress: null });
    try {
      const onProgress = (progress: FileProgress) => setRunning({ path, progress });
      const file = await fetchFile(path, { json, signal: controller.signal, onProgress });
      download(file.content, file.name || name);
      toast({ tone: 'success', title: done });
      return true;
    } catch (thrown) {
      if (!controller.signal.aborted) {
        const text = thrown instanceof CallFailed ? faultText(t, thrown.fault) : t('errors.UNEXPECTED');
        toast({ tone: 'error', title: failed, text });
      }
      return false;
    } finally {
      setRunning(null);
    }
  }
  return { run, running, cancel: () => abort.current?.abort() };
}
