/** Cash drawers that a test leaves or finds. */
import type { DrawerResource } from '../../domain/drawer/resource.ts';
import type { ServerProcess } from '../support/server-process.ts';

/** Closes every open drawer of the clinic. */
export async function closeDrawers(clinic: ServerProcess): Promise<void> {
  const { data } = await clinic.api<{ data: DrawerResource[] }>('/drawers?per_page=200');
  const counted = { cash: 0, card: 0, insurance: 0, others: 0 };
  for (const { id, closed_at } of data) if (closed_at === null) await clinic.api(`/drawers/${id}/close`, { counted });
}
