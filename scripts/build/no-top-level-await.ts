import { parseAst } from 'vite';
import type { Plugin } from 'vite';

/** Returns true if a syntax tree waits outside of functions. */
function waits(node: unknown): boolean {
  if (node === null || typeof node !== 'object') return false;
  if (Array.isArray(node)) return node.some(waits);
  const { type, await: isAwaited } = node as { type?: string; await?: boolean };
  if (type === 'AwaitExpression' || (type === 'ForOfStatement' && isAwaited)) return true;
  if (type === 'ArrowFunctionExpression' || type === 'FunctionExpression' || type === 'FunctionDeclaration')
    return false;
  return Object.values(node).some(waits);
}

export const hasTopLevelAwait = (code: string): boolean => /\bawait\b/.test(code) && waits(parseAst(code).body);

/** Refuses a build with a top-level `await`: WebKit may run the importers of such a module before it is done (bug 242740). */
export function noTopLevelAwait(): Plugin {
  return {
    name: 'no-top-level-await',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle))
          if (file.type === 'chunk' && hasTopLevelAwait(file.code))
            throw new Error(`${file.fileName} has a top-level await, which WebKit cannot run (WebKit bug 242740).`);
      },
    },
  };
}
