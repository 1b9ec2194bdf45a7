import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** What a check says that could not find out, through no fault of the project. */
export const notHad = 'not had';

/** Runs a program in the project's folder, in this terminal; true if it succeeded. Who stops the command stops the program, and its last words are heard. */
export async function run(program, args, { env = {} } = {}) {
  const child = spawn(program, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
  let isStopped = false;
  const stop = (signal) => {
    isStopped = true;
    // Ctrl+C reaches the child by itself.
    if (signal !== 'SIGINT') child.kill(signal);
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  try {
    const [code] = await once(child, 'exit');
    if (isStopped) process.exit(130);
    return code === 0;
  } catch (error) {
    console.error(`${program} cannot be run: ${error.message}`);
    return false;
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

/** Runs a JavaScript file, of ours or of an installed package, with the Node.js that runs this. */
export function runNode(file, args = [], options = {}) {
  return run(process.execPath, [file, ...args], options);
}

/** Runs a TypeScript program of ours, which needs the installed packages, with the words that the command was given. */
export function runProgram(file, options = {}) {
  return run(process.execPath, ['--import', 'tsx', file, ...process.argv.slice(2)], options);
}

/** The same for what must succeed before anything else makes sense. */
export async function mustRun(what, succeeded) {
  if (await succeeded) return;
  console.error(`${what} failed; see above.`);
  process.exit(1);
}
