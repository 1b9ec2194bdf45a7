import { useState } from 'react';

/** Returns true once `wanted` has been true: a panel loads when it first opens, and stays mounted while it closes. */
export function useEver(wanted: boolean): boolean {
  const [ever, setEver] = useState(wanted);
  if (wanted && !ever) setEver(true);
  return ever || wanted;
}
