import { useState } from 'react';

/** True from the first moment that something is wanted: what opens and closes is loaded then, and stays to close as it opened. */
export function useEver(wanted: boolean): boolean {
  const [ever, setEver] = useState(wanted);
  if (wanted && !ever) setEver(true);
  return ever || wanted;
}
