/**
 * Returns the page numbers to show: the first, the last, and two on either side of the current one; `null` is a gap.
 */
export function pageWindow(page: number, pages: number): (number | null)[] {
  const shown = new Set([1, pages]);
  for (let near = page - 2; near <= page + 2; near += 1) if (near >= 1 && near <= pages) shown.add(near);
  const sorted = [...shown].sort((a, b) => a - b);
  return sorted.flatMap((number, index) => (index > 0 && number - sorted[index - 1]! > 1 ? [null, number] : [number]));
}
