/**
 * Lint rule for IndexedDB transactions: a transaction ends as soon as the page does anything else. What is passed to
 * `.transaction()` and to `commit()` of the write path may therefore neither await anything but the database nor open a
 * window. It finds what stands in these functions, not what they call.
 */

/** Functions that no transaction survives. */
const functions = ['fetch', 'setTimeout', 'requestAnimationFrame', 'openPrintTarget', 'withPrintTarget', 'open'];
/** Objects whose every method is one. */
const objects = ['window.open', 'crypto.subtle', 'navigator.locks', 'caches'];

const isFunction = ({ type }) => type === 'ArrowFunctionExpression' || type === 'FunctionExpression';
const nameOf = (node) =>
  node.type === 'MemberExpression' ? `${nameOf(node.object)}.${node.property.name}` : node.name;

function beginsTransaction({ type, callee }) {
  if (type !== 'CallExpression') return false;
  return callee.type === 'MemberExpression' ? callee.property.name === 'transaction' : callee.name === 'commit';
}

/** Returns true for a node in a function that is passed to a call which begins a transaction. */
function isInTransaction(node) {
  for (let at = node; at.parent; at = at.parent)
    if (isFunction(at) && beginsTransaction(at.parent) && at.parent.arguments.includes(at)) return true;
  return false;
}

export const transactions = {
  create(context) {
    if (/[\\/]server[\\/]/.test(context.filename)) return {};
    const check = (node, name) => {
      if (isInTransaction(node)) context.report({ node, message: `${name} ends the transaction` });
    };
    return {
      CallExpression(node) {
        const name = nameOf(node.callee) ?? '';
        if (functions.includes(name) || objects.some((object) => name === object || name.startsWith(`${object}.`)))
          check(node, name);
      },
      ImportExpression: (node) => check(node, 'import()'),
    };
  },
};
