/**
 * Generates the migration of a schema change: `npx drizzle-kit generate --config server/db/drizzle.config.ts --name
 * <what>`.
 */
import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: './server/db/schema/*.ts',
  out: './server/db/migrations',
  casing: 'snake_case',
});
