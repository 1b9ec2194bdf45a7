import { useLiveQuery } from '#src/local-data/live.ts';
import { db } from '#src/local-data/database.ts';
import { supplyNames } from '#src/db/queries/catalogue.ts';

const none: ReadonlyMap<number, { name: string; unit: string }> = new Map();

/** Returns names and units of the supplies on this device by id; none until they are read. */
export const useSupplies = () => useLiveQuery(() => supplyNames(db), []) ?? none;
