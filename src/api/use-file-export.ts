import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { download } from '../ui/download.ts';
import { toast } from '../ui/toaster.tsx';
import { CallFailed, faultText } from './call-failed.ts';
import { fetchFile } from './server-file.ts';

interface FileExport {
  path: string;
  /** What the file is called where the server does not say. */
  name: string;
  /** What the toast says when the person has it, and what heads the one that says why not. */
  done: string;
  failed: string;
}

/** Fetches a file that the server makes and hands it to the person, unless they think better of it meanwhile. */
export function useFileExport({ path, name, done, failed }: FileExport): {
  run: () => void;
  isRunning: boolean;
  cancel: () => void;
} {
  const { t } = useTranslation();
  const running = useRef<AbortController>(undefined);
  const [isRunning, setRunning] = useState(false);
  async function run() {
    const controller = new AbortController();
    running.current = controller;
    setRunning(true);
    try {
      const file = await fetchFile(path, { signal: controller.signal });
      download(file.content, file.name || name);
      toast({ tone: 'success', title: done });
    } catch (thrown) {
      if (!controller.signal.aborted)
        toast({
          tone: 'error',
          title: failed,
          text: thrown instanceof CallFailed ? faultText(t, thrown.fault) : t('errors.UNEXPECTED'),
        });
    }
    setRunning(false);
  }
  return { run: () => void run(), isRunning, cancel: () => running.current?.abort() };
}
