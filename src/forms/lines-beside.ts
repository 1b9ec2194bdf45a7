/** Two texts that stand side by side, line by line. */

export interface MarkedLine {
  text: string;
  /** True for a line of a list that the other text has not. */
  differs: boolean;
}

/** Returns the lines of a text, marked where another text has not as many like them. Texts of one line are seen to differ. */
export function linesBeside(text: string, other: string): MarkedLine[] {
  const [lines, others] = [text.split('\n'), other.split('\n')];
  const isList = lines.length > 1 || others.length > 1;
  const unmatched = new Map<string, number>();
  for (const line of others) unmatched.set(line, (unmatched.get(line) ?? 0) + 1);
  return lines.map((line) => {
    const left = unmatched.get(line) ?? 0;
    unmatched.set(line, left - 1);
    return { text: line, differs: isList && left <= 0 };
  });
}
