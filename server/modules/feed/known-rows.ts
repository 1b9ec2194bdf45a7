/**
 * Rows of the feed that this process has read. After a change all tablets of a clinic ask for the same rows within
 * seconds. A row and the transaction that wrote it determine its content, within one epoch.
 */
const mostKept = 1000;

export class KnownRows {
  /** In the order of keeping. */
  private readonly rows = new Map<string, unknown>();

  /** Returns undefined for a row that is not known; the row of a deleted item is null. */
  get(name: string): unknown {
    return this.rows.get(name);
  }

  keep(name: string, row: unknown): void {
    this.rows.set(name, row);
    if (this.rows.size <= mostKept) return;
    const [oldest] = this.rows.keys();
    this.rows.delete(oldest!);
  }
}
