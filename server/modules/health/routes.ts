import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import type { Routes } from '../../deps.ts';
import { isPublic } from '../../http/access.ts';
import { projectRoot } from '../../project-root.ts';

export const { version } = JSON.parse(readFileSync(path.join(projectRoot, 'package.json'), 'utf8')) as { version: string };

export const healthRoutes: Routes = ({ database }) => async (api) => {
  /** Healthy means able to serve: without its database the server answers 503. */
  api.get('/health', { config: isPublic }, async () => {
    await database.execute(sql`select 1`);
    return { success: true, data: { status: 'ok', version } };
  });
};
