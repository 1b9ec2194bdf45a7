/** What back-office pages ask the server to do. */
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { idempotencyHeader } from '../../domain/protocol/sync.ts';
import { uuidV7 } from '../../domain/uuid.ts';
import { CallFailed, faultText } from '../api/client.ts';
import type { CallFault } from '../api/client.ts';
import { browserPorts } from '../db/ports.ts';
import { db } from '../local-data/database.ts';
import { toast } from '../ui/toaster.tsx';
import { refreshData } from './use-server-data.ts';

/** Returns a new idempotency key: the server applies a write once, however often it arrives under the same key. */
export const newIdempotencyKey = (): string => uuidV7(browserPorts.now(), browserPorts.random(10));

export interface ServerCall<Input> {
  /** @returns whether it was done; if not, a toast has said why, or `onRefused` has taken it */
  run: (input: Input) => Promise<boolean>;
  isRunning: boolean;
}

interface ServerCallOptions<Input, Output> {
  /** Paths to read again afterwards. */
  refreshes: string[];
  /** What the toast says when it is done; none without. */
  done?: ((input: Input, output: Output) => string) | undefined;
  /** The heading of the toast that says why it was not done. */
  failed: string;
  /** Takes a refusal that belongs to the form's fields: true if it has shown it. */
  onRefused?: ((fault: CallFault) => boolean) | undefined;
  /** Keeps what was asked, until it is answered, on the device under this name: then asking again after a reload is done once too. */
  keepAs?: string | undefined;
}

/** What was asked, and under which key. */
interface Unanswered {
  request: string;
  key: string;
}

/**
 * Something that the server is asked to do, with what is said and read again afterwards.
 *
 * @param call gets the headers of `callServer` besides: with them, asking again for the same after an unknown outcome is
 *   done once
 */
export function useServerCall<Input, Output = unknown>(
  call: (input: Input, headers: Record<string, string>) => Promise<Output>,
  { refreshes, done, failed, onRefused, keepAs }: ServerCallOptions<Input, Output>,
): ServerCall<Input> {
  const { t } = useTranslation();
  const unanswered = useRef<Unanswered>(undefined);
  const mutation = useMutation({
    mutationFn: async (input: Input) => {
      const request = JSON.stringify(input);
      if (keepAs) unanswered.current ??= (await db.drafts.get(keepAs))?.value as Unanswered | undefined;
      if (unanswered.current?.request !== request) unanswered.current = { request, key: newIdempotencyKey() };
      const { key } = unanswered.current;
      if (keepAs) await db.drafts.put({ key: keepAs, value: unanswered.current });
      return call(input, { [idempotencyHeader]: key });
    },
  });
  async function answered(): Promise<void> {
    unanswered.current = undefined;
    if (keepAs) await db.drafts.delete(keepAs);
  }
  async function run(input: Input): Promise<boolean> {
    try {
      const output = await mutation.mutateAsync(input);
      await answered();
      if (done) toast({ tone: 'success', title: done(input, output) });
      void refreshData(...refreshes);
      return true;
    } catch (thrown) {
      const fault: CallFault = thrown instanceof CallFailed ? thrown.fault : { code: 'UNEXPECTED', message: '' };
      if (fault.code !== 'NETWORK') await answered();
      if (!onRefused?.(fault)) toast({ tone: 'error', title: failed, text: faultText(t, fault) });
      return false;
    }
  }
  return { run, isRunning: mutation.isPending };
}
