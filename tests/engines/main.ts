/**
 * Uses the built product in Firefox and in WebKit, as people use it, and prints one table of the results.
 *
 *     npm run test:engines -- webkit --only lock     one engine, the flows whose names contain the word; `--only` repeats
 *     npm run test:engines -- --smoke                the short form
 *     npm run test:engines -- --report FILE          the results as JSON, too
 *     npm run test:engines -- --minutes 15           ends a run that takes longer, as a failure
 *     KILL_ROUNDS=10 npm run test:engines            the rounds of SIGKILL
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { childrenOf, killTree } from '../kill/processes.ts';
import { ServerProcess } from '../support/server-process.ts';
import { distinct } from './drivers/browser.ts';
import type { EngineName } from './drivers/browser.ts';
import { drawer, refund } from './flows/cash.ts';
import { exports, pages, spanish } from './flows/desk.ts';
import { verifactu } from './flows/fiscal.ts';
import type { Flow } from './flows/flow.ts';
import { kills } from './flows/kills.ts';
import { oldEngine, tooOld, withoutWindows, withoutWorkers } from './flows/limits.ts';
import { offline, resend } from './flows/network.ts';
import { patients } from './flows/patients.ts';
import { sale, saleBesideOthers, signIn } from './flows/sales.ts';
import { speed } from './flows/speed.ts';
import { lockWithTwoTabs, secondTab, standingLock } from './flows/tabs.ts';
import { engines } from './launch.ts';
import { printTable } from './results.ts';
import type { Result } from './results.ts';
import { Testbed } from './testbed.ts';

const { values, positionals } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    smoke: { type: 'boolean', default: false },
    report: { type: 'string' },
    minutes: { type: 'string' },
  },
  allowPositionals: true,
});

const chosenEngines = (positionals.length > 0 ? positionals : Object.keys(engines)) as EngineName[];
const flows: Flow[] = [
  signIn,
  sale,
  saleBesideOthers,
  offline,
  resend,
  secondTab,
  standingLock,
  lockWithTwoTabs,
  drawer,
  refund,
  pages,
  exports,
  spanish,
  verifactu,
  patients,
  withoutWindows,
  withoutWorkers,
  oldEngine,
  tooOld,
  kills,
  speed,
].filter(isChosen);

function isChosen({ name, isSmoke = false, isOnRequest = false }: Flow): boolean {
  if (values.only) return values.only.some((word) => name.includes(word));
  return values.smoke ? isSmoke : !isOnRequest;
}

/** Pictures of failed flows. */
const pictures = path.resolve(import.meta.dirname, '../../test-results/engines');

const results: Result[] = [];

async function runEngine(name: EngineName): Promise<void> {
  const engine = await engines[name]();
  const clinic = await ServerProcess.create();
  const testbed = await Testbed.create(engine, clinic);
  try {
    for (const flow of flows) {
      if (isInterrupted) break;
      const result = await runFlow(testbed, flow);
      console.log(`${name}: ${result.fault === null ? 'ok' : 'FAILED'}  ${flow.name}  ${result.seconds.toFixed(0)} s`);
      if (result.fault !== null) console.log(result.fault);
      results.push(result);
    }
  } finally {
    await testbed.close();
    await clinic.destroy();
    engine.close();
  }
}

async function runFlow(testbed: Testbed, { name, run }: Flow): Promise<Result> {
  const startedAt = performance.now();
  const result: Result = { engine: testbed.engine.name, flow: name, fault: null, remark: '', seconds: 0 };
  try {
    result.remark = (await run(testbed)) ?? '';
    const errors = testbed.errors();
    if (errors.length > 0) result.fault = `The pages report errors: ${distinct(errors).join('; ')}`;
  } catch (error) {
    await mkdir(pictures, { recursive: true });
    const file = `${testbed.engine.name}-${name.replaceAll(/[^\w]+/g, '-')}`;
    await testbed.photograph(path.join(pictures, file));
    // How a browser has ended is known a moment after its connection is closed.
    result.fault = [(error as Error).message, ...distinct(testbed.errors())].join('\n');
  }
  await testbed.endFlow();
  return { ...result, seconds: (performance.now() - startedAt) / 1000 };
}

/** An interrupted run ends its browsers and servers. */
let isInterrupted = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (isInterrupted = true));

/** Prints the results. Returns true if every flow has passed. */
function printOutcome(): boolean {
  printTable(results);
  const expected = chosenEngines.length * flows.length;
  const passed = results.filter(({ fault }) => fault === null).length;
  console.log(`${passed} of ${expected} passed`);
  return passed === expected;
}

/** Ends a run in which something may wait for ever, with all that it has started. */
async function giveUp(minutes: number): Promise<void> {
  printOutcome();
  console.error(`The run has not ended within ${minutes} minutes.`);
  for (const child of await childrenOf(process.pid)) await killTree(child);
  process.exit(1);
}

if (flows.length === 0) throw new Error(`No flow has "${values.only?.join('" or "')}" in its name.`);
const minutes = Number(values.minutes ?? 0);
if (minutes > 0) setTimeout(() => void giveUp(minutes), minutes * 60_000).unref();
const outcomes = await Promise.allSettled(chosenEngines.map(runEngine));
const hasPassed = printOutcome();
if (values.report) await writeFile(values.report, JSON.stringify(results));
for (const outcome of outcomes) if (outcome.status === 'rejected') console.error(outcome.reason);
process.exitCode = hasPassed ? 0 : 1;
