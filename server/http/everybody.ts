/**
 * Places for whoever has not signed in: files and screens of the app, probes, pictures. Their turns are those of addresses, which all
 * tablets of a clinic may share. A crowd of one address is paced and goes last, but none of it is refused: a new build is eighty
 * files for each of two hundred tablets, and looks like a flood.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { askerOf } from './askers.ts';
import { ClinicTurns } from './clinic-turns.ts';
import { networkOf } from './networks.ts';
import { sendRefusal } from './refusals.ts';
import type { RequestTurns } from './turns.ts';
import { goOnWith } from './watchdog.ts';

const limits = { atOnce: 4, perClinic: 3, beside: 3, waiting: 5000 };

/** More of one address than a tablet asks for at once. */
const crowd = 100;
/** How long each place of a crowd is kept at least, so that a flood of short requests takes a small share of the process. */
const crowdedPlaceMs = 10;
/** After this wait a request of a crowd begins, whatever others do: longer than three hundred of them wait for each other. */
const lastPlaceMs = 500;

/**
 * Makes whatever is read without a session wait for the turn of its address, on all routes. Of a crowd it begins while nobody has a
 * sale or a pull in work, and after half a second all the same. A sign-in has bounds of its own.
 */
export function shareAmongEverybody(app: FastifyInstance, turns: RequestTurns): void {
  const { behind } = turns;
  const leaving = new WeakMap<FastifyRequest, () => void>();
  const isCrowd = (address: number | string) => places.waitingOf(address) > crowd;
  const others = { ...behind, goFirst: (address: number | string) => isCrowd(address) && behind.goFirst(address) };
  const places: ClinicTurns = new ClinicTurns(limits, others, lastPlaceMs);
  turns.follow(places);

  app.addHook('onRequest', async (request, reply) => {
    const { ip, method, routeOptions } = request;
    const isRead = method === 'GET' || method === 'HEAD';
    if (!isRead || routeOptions.config.action) return undefined;
    const leave = await places.enter(networkOf(ip), { asker: askerOf(request) });
    goOnWith(request);
    if (!leave) return sendRefusal(reply, { code: 'TOO_MANY_REQUESTS' });
    leaving.set(request, leave);
    return undefined;
  });
  app.addHook('onSend', async (request) => {
    const leave = leaving.get(request);
    if (!leave) return;
    leaving.delete(request);
    if (isCrowd(networkOf(request.ip))) setTimeout(leave, crowdedPlaceMs).unref();
    else leave();
  });
}
