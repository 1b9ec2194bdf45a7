/**
 * Lint rule for regular expressions: the time that one takes must grow as its text does. The texts are foreign, and one
 * whose time grows with the square holds everybody up for seconds. So a pattern must be written where it stands, where it
 * can be analysed, and must neither divide a text in many ways among its repetitions nor look at the same stretch again from each
 * place in it.
 */
import { RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import { JS, NFA, isDisjointWith } from 'refa';
import { analyse } from 'scslre';

const parser = new RegExpParser();

/**
 * Returns why a regular expression may take longer than its text is long, or null.
 *
 * @param source its text between the slashes
 */
export function slowness(source, flags) {
  const reason = reported(source, flags) ?? restarting(source, flags);
  return reason && `takes more than linear time: ${reason}`;
}

function reported(source, flags) {
  const { reports } = analyse(parser.parseLiteral(`/${source}/${flags}`), { maxReports: 1 });
  const [report] = reports;
  if (!report) return null;
  if (report.type === 'Move') return `each place in what ${report.quant.raw} matches is a new beginning`;
  if (report.type === 'Self') return `${report.quant.raw} repeats the same in several ways`;
  return `${report.startQuant.raw} and ${report.endQuant.raw} divide a text in many ways`;
}

/** Finds a repetition that accepts what leads to it, as in `<!--.*-->`: each beginning in it repeats what follows it. */
function restarting(source, flags) {
  const { pattern } = parser.parseLiteral(`/${source}/${flags}`);
  const found = [];
  visitRegExpAST(pattern, {
    onQuantifierEnter(quantifier) {
      if (quantifier.max !== Infinity) return;
      const way = wayTo(quantifier);
      // With nothing but assertions before it, it is the beginning, and has been looked at.
      if (!way || way.before.every(isAssertion) || isFixed(way.before[0], flags)) return;
      const from = [quantifier, ...way.after].map(({ raw }) => raw).join('');
      const before = way.before.map((part) => (isAtStart(part) ? endOfLine : part.raw)).join('');
      if (reported(from, flags) && overlap(before, `(?:${quantifier.element.raw})+`, flags)) found.push(quantifier.raw);
    },
  });
  return found.length === 0 ? null : `${found[0]} accepts what stands before it`;
}

/** Returns what a match passes before and after an element; null for one in a repetition or an assertion. */
function wayTo(element) {
  const before = [];
  const after = [];
  let at = element;
  for (; at.parent.type !== 'Pattern'; at = at.parent) {
    if (at.parent.type === 'Quantifier' && at.parent.max > 1) return null;
    if (at.parent.type === 'Assertion') return null;
    if (at.parent.type !== 'Alternative') continue;
    const { elements } = at.parent;
    const index = elements.indexOf(at);
    before.unshift(...elements.slice(0, index));
    after.push(...elements.slice(index + 1));
  }
  return { before, after };
}

const isAssertion = ({ type }) => type === 'Assertion';
const isAtStart = (element) => isAssertion(element) && element.kind === 'start';
/** Where the start is that of a line, one must have ended before. */
const endOfLine = '[\\n\\r\\u2028\\u2029]';

/** A match that begins at one place begins once. */
const isFixed = (first, flags) => flags.includes('y') || (isAtStart(first) && !flags.includes('m'));

/** Returns whether both match some same text, whatever stands around it. */
function overlap(one, other, flags) {
  const [left, right] = [one, other].map((source) => {
    const { expression, maxCharacter } = JS.Parser.fromLiteral({ source: `(?:${source})`, flags }).parse({
      assertions: 'ignore',
      backreferences: 'disable',
    });
    return NFA.fromRegex(expression, { maxCharacter });
  });
  return !isDisjointWith(left, right);
}

const isPattern = ({ type, name }) => type === 'Identifier' && name === 'RegExp';

export const linearPatterns = {
  create(context) {
    const check = (node) => {
      if (isPattern(node.callee)) context.report({ node, message: 'write the pattern where lint can read it' });
    };
    return {
      Literal(node) {
        const message = node.regex && slowness(node.regex.pattern, node.regex.flags);
        if (message) context.report({ node, message: `/${node.regex.pattern}/ ${message}` });
      },
      NewExpression: check,
      CallExpression: check,
    };
  },
};
