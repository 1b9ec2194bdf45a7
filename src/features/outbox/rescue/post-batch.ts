import type { AnyOperation } from '../../../../domain/protocol/operations.ts';
import type { BatchReply } from '../../../../domain/protocol/sync.ts';
import { faultOf, publicApi } from '../../../api/client.ts';
import { sessionToken } from '../../../session/session.ts';
import type { Posted } from './send-rescued.ts';

/**
 * One batch to the server as the signed-in person. A session that has run out is told in the dialog rather than ended on the
 * spot, so that nobody loses sight of what was sent and what was not.
 */
export async function postBatch(operations: AnyOperation[]): Promise<Posted> {
  try {
    const headers = { authorization: `Bearer ${sessionToken() ?? ''}` };
    return {
      ok: true,
      reply: await publicApi.post('sync/batch', { json: { operations }, headers }).json<BatchReply>(),
    };
  } catch (error) {
    const { code } = await faultOf(error);
    if (code === 'SESSION_EXPIRED' || code === 'FORBIDDEN') return { ok: false, fault: 'expired' };
    return {
      ok: false,
      fault:
        code === 'VALIDATION' || code === 'BODY_TOO_LARGE' || code === 'MALFORMED_JSON' ? 'rejected' : 'unreachable',
    };
  }
}
