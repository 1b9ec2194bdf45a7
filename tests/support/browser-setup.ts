/** Runs once before all browser tests. */
import { shareDemoFolder } from './server-process.ts';

export default shareDemoFolder;
