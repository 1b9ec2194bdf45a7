import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** What a check says that could not find out, through no fault of the project. */
export const notHad = 'not had';

/** Runs a program in the project's folder, in this terminal; true if it succeeded. */
export async function run(program, args, { env = {} } = {}) {
  const child = spawn(program, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
  try {
    const [code] = await once(child, 'exit');
    return code === 0;
  } catch (error) {
    console.error(`${program} cannot be run: ${error.message}`);
    return false;
  }
}

/** Runs a JavaScript file, of ours or of an installed package, with the Node.js that runs this. */
export function runNode(file, args = [], options = {}) {
  return run(process.execPath, [file, ...args], options);
}

/** The same for what must succeed before anything else makes sense. */
export async function mustRun(what, succeeded) {
  if (await succeeded) return;
  console.error(`${what} failed; see above.`);
  process.exit(1);
}
