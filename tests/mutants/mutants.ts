import { parseSync } from 'vite';

/** A change of a source text: `from`, which is at the offsets `start` to `end`, becomes `to`. */
export interface Mutant {
  line: number;
  from: string;
  to: string;
  start: number;
  end: number;
}

/** A part of the syntax tree, in the form of ESTree. */
interface Node {
  type: string;
  start: number;
  end: number;
  operator?: string;
  left?: Node;
  value?: unknown;
}

/** What each operator becomes: its opposite at the boundary, so that a test has to know the boundary. */
const operators: Record<string, string> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
  '??': '&&',
};

/** Syntax of TypeScript around code that runs; what else begins with TS is a type. */
const runs = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression', 'TSParameterProperty']);

/**
 * Returns the mutants of a source file: each changes one operator, one negation or one boolean of code that runs. Types are left
 * out. Some mutants change nothing that matters, which the syntax does not tell, so a person looks at what survives.
 *
 * @param file its name, for the parser
 * @param source its text
 * @returns them in the order of the text
 * @throws Error if the parser refuses the text
 */
export function mutantsOf(file: string, source: string): Mutant[] {
  const { program, comments, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`);
  const code = comments.reduce(
    (text, { start, end }) => text.slice(0, start) + ' '.repeat(end - start) + text.slice(end),
    source,
  );
  const mutants: Mutant[] = [];
  const add = (start: number, end: number, to: string) =>
    mutants.push({ line: source.slice(0, start).split('\n').length, from: source.slice(start, end), to, start, end });

  const visit = (node: Node) => {
    if (node.type.startsWith('TS') && !runs.has(node.type)) return;
    const opposite = operators[node.operator ?? ''];
    if (opposite && (node.type === 'BinaryExpression' || node.type === 'LogicalExpression')) {
      const start = code.indexOf(node.operator!, node.left!.end);
      const end = start + node.operator!.length;
      // `??` beside another logical operator is an error without brackets, which any test would notice.
      if (node.operator !== '??' || isSound(file, source.slice(0, start) + opposite + source.slice(end)))
        add(start, end, opposite);
    }
    if (node.type === 'UnaryExpression' && node.operator === '!') add(node.start, node.start + 1, '');
    if (node.type === 'Literal' && typeof node.value === 'boolean') add(node.start, node.end, String(!node.value));
    for (const part of Object.values(node).flat()) if (isNode(part)) visit(part);
  };
  visit(program);
  return mutants.sort((one, other) => one.start - other.start);
}

const isSound = (file: string, source: string): boolean => parseSync(file, source).errors.length === 0;

function isNode(part: unknown): part is Node {
  return typeof part === 'object' && part !== null && typeof (part as Partial<Node>).type === 'string';
}
