import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Outcome of a check that could not run for a reason outside the project. */
export const unavailable = 'unavailable';

/**
 * Runs a program in the project's folder, attached to this terminal. Returns true if it succeeds. A signal that stops this process
 * stops the program too, and this process exits only after the program has.
 *
 * @param isCaptured prints the program's output in one piece at its end
 */
export async function run(program, args, { env = {}, isCaptured = false } = {}) {
  const stdio = isCaptured ? ['ignore', 'pipe', 'pipe'] : 'inherit';
  const child = spawn(program, args, { cwd: root, stdio, env: { ...process.env, ...env } });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => output.push(chunk));
  let isStopped = false;
  const stop = (signal) => {
    isStopped = true;
    // The terminal sends Ctrl+C to the child as well.
    if (signal !== 'SIGINT') child.kill(signal);
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  try {
    const [code] = await once(child, 'close');
    if (isStopped) process.exit(130);
    return code === 0;
  } catch (error) {
    console.error(`Can't run ${program}: ${error.message}`);
    return false;
  } finally {
    process.stdout.write(Buffer.concat(output));
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

/** Runs a JavaScript file with the current Node.js. */
export function runNode(file, args = [], options = {}) {
  return run(process.execPath, [file, ...args], options);
}

/** Runs a TypeScript program of the project with the arguments of the current command. */
export function runProgram(file, options = {}) {
  return run(process.execPath, ['--import', 'tsx', file, ...process.argv.slice(2)], options);
}

/** Waits for a step, given as a promise of true or false. Exits with an error if the step fails. */
export async function succeedOrExit(step, succeeded) {
  if (await succeeded) return;
  console.error(`${step} failed. The messages above give the reason.`);
  process.exit(1);
}
