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
import { inputOf, isOpen, requestAfter, requestOf, seenIn, sendingBy } from './pending-request.ts';
import type { GoOn, PendingRequest } from './pending-request.ts';
import { refreshData } from './use-server-data.ts';

export interface ServerCall<Input> {
  /** @returns true if the call succeeded; otherwise a toast shows the reason, unless `onRefused` handled it */
  run: (input: Input) => Promise<boolean>;
  isRunning: boolean;
  /** Forgets a request without a reply: what is sent next is about something else. */
  forget: () => Promise<void>;
}

export interface ServerCallOptions<Input, Output> {
  /** Paths to reload after success. */
  refreshes: string[];
  /** Text of the toast on success; no toast if omitted. */
  done?: ((input: Input, output: Output) => string) | undefined;
  /** Title of the toast on failure. */
  failed: string;
  /**
   * Shows a refusal at the form's fields; returns true if it did.
   *
   * @param isCreated true if a request without a reply has created the record all the same
   */
  onRefused?: ((fault: CallFault, isCreated: boolean) => boolean) | undefined;
  /** Called after success while the request is still kept. */
  onDone?: ((output: Output) => Promise<void>) | undefined;
  /**
   * Set for a call that creates: changes what a request without a reply has created into what is asked for now, because
   * another creation would be a second record.
   */
  goOn?: GoOn<Input, Output> | undefined;
  /** True for a call that stores nothing. */
  isQuestion?: boolean;
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
  options: ServerCallOptions<Input, Output>,
): ServerCall<Input> {
  const { refreshes, done, failed, onRefused, onDone, goOn, isQuestion = false, keepAs: name } = options;
  const { t } = useTranslation();
  const owner = useSession((state) => state.user?.id);
  const keepAs = name && `${name}@${owner}`;
  const pending = useRef<PendingRequest>(undefined);
  async function keep(request: PendingRequest | undefined): Promise<void> {
    pending.current = request;
    if (!keepAs) return;
    if (request) await keepDraft(db, keepAs, request);
    else await db.drafts.delete(keepAs);
  }
  const mutation = useMutation({
    mutationFn: async (input: Input) => {
      if (keepAs) pending.current ??= (await readDraft<PendingRequest>(db, keepAs)) ?? undefined;
      if (!goOn) {
        await keep(requestOf(input, pending.current, keepAs !== undefined));
        const { key, seen } = pending.current!;
        return call(seen && seenIn(input) ? { ...input, seen } : input, headersOf(key));
      }
      const send = sendingBy<Input, Output>(
        (request) => call(inputOf(request) as Input, headersOf(request.key)),
        goOn,
        headersOf,
      );
      const next = await requestAfter(input, pending.current, send, isRefusal);
      await keep(next);
      return send(next);
    },
  });
  async function run(input: Input): Promise<boolean> {
    try {
      const output = await mutation.mutateAsync(input);
      await onDone?.(output);
      await keep(undefined);
      if (done) toast({ tone: 'success', title: done(input, output) });
      void refreshData(...refreshes);
      return true;
    } catch (thrown) {
      const fault = faultIn(thrown);
      const isCreated = pending.current?.follows !== undefined;
      // A change that was refused leaves what was created before it.
      if (isRefusal(thrown)) await keep(pending.current?.follows);
      if (onRefused?.(fault, isCreated)) return false;
      const isUnknown = fault.code === 'NETWORK' && !isQuestion;
      toast({
        tone: 'error',
        title: isUnknown ? t('noReply.title') : failed,
        text: isUnknown ? t('noReply.text') : faultText(t, fault),
      });
      return false;
    }
  }
  return { run, isRunning: mutation.isPending, forget: () => keep(undefined) };
}

const headersOf = (key: string): Record<string, string> => ({ [idempotencyHeader]: key });

/** Returns whether the server has refused a request, so that nothing was stored. */
const isRefusal = (thrown: unknown): boolean => thrown instanceof CallFailed && !isOpen(thrown.fault);

const faultIn = (thrown: unknown): CallFault =>
  thrown instanceof CallFailed ? thrown.fault : { code: 'UNEXPECTED', message: '' };
