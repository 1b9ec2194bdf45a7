import { useSearchParams } from 'react-router-dom';

/**
 * Keeps a choice in the URL under a name, so that it survives a reload. Defaults to the first value.
 *
 * @param options.dropsOthers true if what else the address says is of the value before, such as the filters of its list
 */
export function useAddressChoice<Value extends string>(
  name: string,
  values: readonly Value[],
  { dropsOthers = false }: { dropsOthers?: boolean } = {},
): [Value, (value: Value) => void] {
  const [address, setAddress] = useSearchParams();
  const chosen = values.find((value) => value === address.get(name)) ?? values[0]!;
  const choose = (value: Value) =>
    setAddress(
      (before) => {
        const after = new URLSearchParams(dropsOthers ? undefined : before);
        after.set(name, value);
        return after;
      },
      { replace: true },
    );
  return [chosen, choose];
}
