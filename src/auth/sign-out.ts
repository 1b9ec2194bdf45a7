/**
 * Signs out of a shared tablet. Keeps what the clinic would lose (the device's identity and counters, the outbox with
 * its rows, documents not yet sent) and what the next person needs (catalogue, settings, verifiers). Deletes the rest,
 * with the person's PIN and tokens. What remains of their vault opens with the password only: the actor key, so that
 * they can sign in offline. Never waits for the network.
 */
import { publicApi } from '../api/client.ts';
import { emailKey } from '../db/database.ts';
import type { ClinicDatabase } from '../db/database.ts';
import { withStatus } from '../db/operation-state.ts';
import { subjectsOf } from '../db/rebase.ts';
import { dropKeys, signInToken } from '../session/keys.ts';
import { forgetSession, sessionToken, useSession } from '../session/session.ts';

/** What is the device's rather than a person's. */
const deviceKeys = [
  'colour-mode',
  'i18nextLng',
  'sidebar',
  'install-hint',
  'unsent-note',
  'lost-storage',
  'standstill',
];

/** Begins what a person chose for a list, such as its columns: it names nobody, and they find it again here. */
const listChoices = 'list:';

/** The tables with nothing but what a person may read. */
const emptied = ['session', 'query_cache', 'drafts', 'attention', 'patients', 'patient_details'] as const;
/** The tables of which something stays. */
const thinned = ['verifiers', 'orders', 'order_bases', 'drawers', 'operation_states', 'documents', 'sync'] as const;

/** Deletes the data of a session from the database. @param email the person whose PIN and token are deleted */
export async function wipePersonal(db: ClinicDatabase, email: string): Promise<void> {
  await db.transaction('rw', [...emptied, ...thinned], async () => {
    await db.verifiers.update(emailKey(email), { pin: undefined, token: undefined, sync: undefined });
    await Promise.all(emptied.map((table) => db[table].clear()));
    // Treatments with waiting operations have a base; those with refused operations are in the tray.
    const refused = subjectsOf((await withStatus(db, 'attention').toArray()).map(({ aggregate }) => aggregate));
    const kept = new Set([...(await db.order_bases.toCollection().primaryKeys()), ...refused.orderIds]);
    await db.orders.filter((order) => !kept.has(order.id)).delete();
    // The next person may close an open drawer.
    await db.drawers.filter(({ closed_at }) => closed_at !== null).delete();
    await db.documents.filter((document) => !kept.has(document.order_id)).delete();
    // After the next sign-in the feed starts over, and returns the deleted treatments.
    await db.sync.update('this', { cursor: null, lacks: [] });
  });
}

export async function signOut(db: ClinicDatabase): Promise<void> {
  const token = (await signInToken()) ?? sessionToken();
  forgetSession();
  for (const key of Object.keys(localStorage)) {
    if (!deviceKeys.includes(key) && !key.startsWith(listChoices)) localStorage.removeItem(key);
  }
  if (token) {
    const headers = { authorization: `Bearer ${token}` };
    // Best effort: the page is about to unload, and a session that is not ended expires.
    void publicApi.post('auth/logout', { headers, keepalive: true }).catch(() => undefined);
  }
  try {
    await Promise.all([dropKeys(), wipePersonal(db, useSession.getState().user?.email ?? '')]);
  } finally {
    // A new page leaves nothing of the last person in memory.
    location.replace('/login');
  }
}
