/** Reads of the drawers. */
import type { DrawerReportResource, DrawerRowResource } from '#domain/drawer/resource.ts';
import { listParams } from './list-query.ts';
import type { ListQuery, Page } from './list-query.ts';
import { useServerData } from './use-server-data.ts';

export const useDrawers = (list: ListQuery) =>
  useServerData<Page<DrawerRowResource & { report: DrawerReportResource }>>('drawers', listParams(list));
