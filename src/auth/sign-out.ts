/**
 * Signing out of a shared tablet. It keeps what the clinic would lose — the device's identity and counters, the queue with
 * the rows it stands on, papers not yet sent — and what the next person needs: catalogue, settings, who may unlock. The
 * rest goes, and with it the person's own PIN and token. Signing out never waits for the network.
 */
import { publicApi } from '../api/client.ts';
import { emailKey } from '../db/database.ts';
import type { ClinicDatabase } from '../db/database.ts';
import { withStatusOf } from '../db/operation-state.ts';
import { subjectsOf } from '../db/rebase.ts';
import { forgetSession, sessionToken, useSession } from '../session/session.ts';

/** Choices of the device rather than of a person, and so kept. */
const deviceChoices = ['colour-mode', 'i18nextLng', 'sidebar', 'install-hint'];

/** What sign-out removes from the database. @param email whose own things go, besides what everyone may see */
export async function wipePersonal(database: ClinicDatabase, email: string): Promise<void> {
  const {
    session,
    verifiers,
    query_cache,
    drafts,
    attention,
    patients,
    orders,
    order_bases,
    drawers,
    operation_states,
    documents,
    sync,
  } = database;
  const tables = [
    session,
    verifiers,
    query_cache,
    drafts,
    attention,
    patients,
    orders,
    order_bases,
    drawers,
    operation_states,
    documents,
    sync,
  ];
  await database.transaction('rw', tables, async () => {
    await verifiers.update(emailKey(email), { pin: undefined, token: undefined });
    await Promise.all([session.clear(), query_cache.clear(), drafts.clear(), attention.clear(), patients.clear()]);
    // A treatment has a base while operations of it wait, and stands in the tray when one was refused.
    const refused = subjectsOf((await withStatusOf(database, 'attention').toArray()).map(({ aggregate }) => aggregate));
    const kept = new Set([...(await order_bases.toCollection().primaryKeys()), ...refused.orderIds]);
    await orders.filter((order) => !kept.has(order.id)).delete();
    // One that stands open is the next person's to close.
    await drawers.filter(({ closed_at }) => closed_at !== null).delete();
    await documents.filter((paper) => !kept.has(paper.order_id)).delete();
    // The removed treatments come home again from the start of the feed, once somebody has signed in.
    await sync.update('this', { cursor: null });
  });
}

export async function signOut(db: ClinicDatabase): Promise<void> {
  const token = sessionToken();
  forgetSession();
  for (const key of Object.keys(localStorage)) {
    if (!deviceChoices.includes(key)) localStorage.removeItem(key);
  }
  if (token) {
    const headers = { authorization: `Bearer ${token}` };
    // Best effort: the page is about to go, and a session that could not be ended runs out by itself.
    void publicApi.post('auth/logout', { headers, keepalive: true }).catch(() => undefined);
  }
  try {
    await wipePersonal(db, useSession.getState().user?.email ?? '');
  } finally {
    // A fresh page: nothing that the last person saw stays in memory.
    location.replace('/login');
  }
}
