/** Reads of the preparation board. */
import type { KitchenBoardResource } from '#domain/preparation/resources.ts';
import { useServerData } from './use-server-data.ts';

export const usePreparationBoard = () => useServerData<KitchenBoardResource>('kitchen/orders');

export const preparationPaths = ['kitchen'];
