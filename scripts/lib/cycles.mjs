/** Import cycles. Two files that need each other can't be read, tested or moved one at a time, so the tree has none. */
import { importGraph } from './import-graph.mjs';
import { root } from './run.mjs';

/** The folders and files that the check covers. */
const sources = [
  'domain',
  'src',
  'sw',
  'server',
  'tests',
  'scripts',
  'vite.config.ts',
  'vitest.config.ts',
  'playwright.config.ts',
];

/** Prints every cycle; returns true if there is none. */
export async function checkCycles() {
  const cycles = await findCycles(root, sources);
  for (const cycle of cycles) console.log(describeCycle(cycle));
  return cycles.length === 0;
}

/**
 * Returns the shortest cycle of each group of files that import one another, with the size of the group.
 *
 * @param folder the absolute path of the tree
 * @param paths the folders and files to read, relative to `folder`
 */
export async function findCycles(folder, paths) {
  const imports = await importGraph(folder, paths);
  return groupsIn(imports).map((group) => ({ path: shortestCycle(imports, group), size: group.size }));
}

/** Returns the strongly connected groups of more than one file, and the files that import themselves (Tarjan's algorithm). */
function groupsIn(imports) {
  const [index, low, stack, groups] = [new Map(), new Map(), [], []];
  const visit = (file) => {
    index.set(file, index.size);
    low.set(file, index.get(file));
    stack.push(file);
    for (const target of imports.get(file)) {
      if (!index.has(target)) visit(target);
      if (stack.includes(target)) low.set(file, Math.min(low.get(file), low.get(target)));
    }
    if (low.get(file) !== index.get(file)) return;
    const group = new Set(stack.splice(stack.indexOf(file)));
    if (group.size > 1 || imports.get(file).includes(file)) groups.push(group);
  };
  for (const file of imports.keys()) if (!index.has(file)) visit(file);
  return groups;
}

/** Returns the files of the group's shortest cycle, the first one again at the end. */
function shortestCycle(imports, group) {
  const cycles = [...group].map((start) => cycleThrough(imports, group, start));
  return cycles.reduce((shortest, cycle) => (cycle.length < shortest.length ? cycle : shortest));
}

function cycleThrough(imports, group, start) {
  const queue = [[start]];
  const seen = new Set();
  for (const path of queue) {
    for (const target of imports.get(path.at(-1))) {
      if (target === start) return [...path, start];
      if (!group.has(target) || seen.has(target)) continue;
      seen.add(target);
      queue.push([...path, target]);
    }
  }
  throw new Error(`${start} lies on no cycle.`);
}

function describeCycle({ path, size }) {
  const files = size > path.length - 1 ? ` (the shortest cycle among ${size} files)` : '';
  return `import cycle: ${path.join(' → ')}${files}`;
}
