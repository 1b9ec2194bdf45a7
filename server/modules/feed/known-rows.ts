/**
 * Rows of the feed that this process has read. After a change all tablets of a clinic ask for the same rows within
 * seconds. A row and the transaction that wrote it determine its content, within one epoch.
 */
const mostKept = 1000;
/** So that they take some megabytes: a usual treatment has a few thousand. */
const mostBytes = 50_000;

interface KnownRow {
  /** Null for a deleted item. */
  row: unknown;
  bytes: number;
}

export class KnownRows {
  /** In the order of keeping. */
  private readonly rows = new Map<string, KnownRow>();

  /** Returns undefined for a row that is not known. */
  get(name: string): KnownRow | undefined {
    return this.rows.get(name);
  }

  keep(name: string, { row, bytes }: KnownRow): void {
    if (bytes > mostBytes) return;
    this.rows.set(name, { row, bytes });
    if (this.rows.size <= mostKept) return;
    const [oldest] = this.rows.keys();
    this.rows.delete(oldest!);
  }
}
