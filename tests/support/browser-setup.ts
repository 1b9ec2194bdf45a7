/** Runs once before all browser tests. */
import { shareBuild, shareDemoFolder } from './server-process.ts';

export default async function setup(): Promise<void> {
  await shareBuild();
  await shareDemoFolder();
}
