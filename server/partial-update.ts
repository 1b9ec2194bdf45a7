/** Returns `base` with the fields that `change` sets; a field that is undefined in `change` keeps its value. */
export function withChanges<T extends object>(base: T, change: { [Field in keyof T]?: T[Field] | undefined }): T {
  const fields = Object.entries(base).map(([field, value]) => {
    const changed = change[field as keyof T];
    return [field, changed === undefined ? value : changed];
  });
  return Object.fromEntries(fields) as T;
}
