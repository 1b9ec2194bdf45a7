import { useSearchParams } from 'react-router-dom';

/** Keeps in the URL, under a name, what is open over a page, so that it survives a reload: an id, or `new`. */
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
