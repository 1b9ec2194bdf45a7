export function importGraph(
  folder: string,
  paths: string[],
  options?: { withTypes?: boolean },
): Promise<Map<string, string[]>>;
