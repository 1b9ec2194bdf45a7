import { checkTypes, folders } from './lib/types.mjs';

let isOk = true;
for (const folder of folders) isOk = (await checkTypes(folder)) && isOk;
process.exitCode = isOk ? 0 : 1;
