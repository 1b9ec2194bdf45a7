import { runNode } from './run.mjs';

/** The folders that have a compiler configuration of their own. */
export const folders = ['domain', 'src', 'sw', 'server', 'tests'];

/** Returns true if the folder compiles; the compiler prints what does not. */
export const checkTypes = (folder) => runNode('node_modules/typescript/bin/tsc', ['-p', folder]);
