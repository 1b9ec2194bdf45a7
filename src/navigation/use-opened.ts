import { useSearchParams } from 'react-router-dom';

/** What lies open over a page, kept in the address under this name so that it survives a reload: an id, or `new` for one to come. */
export function useOpened(name: string) {
  const [address, setAddress] = useSearchParams();
  const text = address.get(name);
  const id = Number(text);
  const show = (value: string | null) =>
    setAddress((before) => {
      const after = new URLSearchParams(before);
      if (value === null) after.delete(name);
      else after.set(name, value);
      return after;
    });
  return {
    opened: text === 'new' ? ('new' as const) : Number.isSafeInteger(id) && id > 0 ? id : null,
    open: (next: number | 'new') => show(String(next)),
    close: () => show(null),
  };
}
