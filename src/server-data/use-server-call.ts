import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { idempotencyHeader } from '#domain/protocol/sync.ts';
import { CallFailed, faultText } from '../api/client.ts';
import type { CallFault } from '../api/client.ts';
import { db } from '../local-data/database.ts';
import { keepDraft, readDraft } from '../session/drafts.ts';
import { useSession } from '../session/session.ts';
import { toast } from '../ui/toaster.tsx';
import { requestOf, seenIn } from './pending-request.ts';
import type { PendingRequest } from './pending-request.ts';
import { refreshData } from './use-server-data.ts';

export interface ServerCall<Input> {
  /** @returns true if the call succeeded; otherwise a toast shows the reason, unless `onRefused` handled it */
  run: (input: Input) => Promise<boolean>;
  isRunning: boolean;
}

export interface ServerCallOptions<Input, Output> {
  /** Paths to reload after success. */
  refreshes: string[];
  /** Text of the toast on success; no toast if omitted. */
  done?: ((input: Input, output: Output) => string) | undefined;
  /** Title of the toast on failure. */
  failed: string;
  /** Shows a refusal at the form's fields; returns true if it did. */
  onRefused?: ((fault: CallFault) => boolean) | undefined;
  /**
   * Name under which the request is stored on the device until the reply arrives, so that a retry after a reload is
   * applied once as well.
   */
  keepAs?: string | undefined;
}

/**
 * Sends writes to the server, shows a toast, and reloads the data that changed.
 *
 * @param call passes its headers to `callServer`: they hold the idempotency key, so that a retry after an unknown
 * outcome is applied once
 */
export function useServerCall<Input, Output = unknown>(
  call: (input: Input, headers: Record<string, string>) => Promise<Output>,
  { refreshes, done, failed, onRefused, keepAs: name }: ServerCallOptions<Input, Output>,
): ServerCall<Input> {
  const { t } = useTranslation();
  const owner = useSession((state) => state.user?.id);
  const keepAs = name && `${name}@${owner}`;
  const pending = useRef<PendingRequest>(undefined);
  const mutation = useMutation({
    mutationFn: async (input: Input) => {
      if (keepAs) pending.current ??= (await readDraft<PendingRequest>(db, keepAs)) ?? undefined;
      pending.current = requestOf(input, pending.current, keepAs !== undefined);
      const { key, seen } = pending.current;
      if (keepAs) await keepDraft(db, keepAs, pending.current);
      return call(seen && seenIn(input) ? { ...input, seen } : input, { [idempotencyHeader]: key });
    },
  });
  async function forgetRequest(): Promise<void> {
    pending.current = undefined;
    if (keepAs) await db.drafts.delete(keepAs);
  }
  async function run(input: Input): Promise<boolean> {
    try {
      const output = await mutation.mutateAsync(input);
      await forgetRequest();
      if (done) toast({ tone: 'success', title: done(input, output) });
      void refreshData(...refreshes);
      return true;
    } catch (thrown) {
      const fault: CallFault = thrown instanceof CallFailed ? thrown.fault : { code: 'UNEXPECTED', message: '' };
      if (fault.code !== 'NETWORK') await forgetRequest();
      if (!onRefused?.(fault)) toast({ tone: 'error', title: failed, text: faultText(t, fault) });
      return false;
    }
  }
  return { run, isRunning: mutation.isPending };
}
