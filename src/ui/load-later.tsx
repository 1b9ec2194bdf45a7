import { lazy, memo, useLayoutEffect, useState } from 'react';
import type { ComponentType, NamedExoticComponent } from 'react';

export interface LoadedLater<Props extends object> extends NamedExoticComponent<Props> {
  /** Asks for the code now. Rejects where it cannot be had, and may be called again. */
  load: () => Promise<unknown>;
}

/**
 * A component whose code is asked for when it is first drawn, or ahead of that by `load`. React's own `lazy` shows its
 * fallback even for code that is there, and React then lets up to 0.3 s go by before it draws the next part; this one is
 * drawn at once, and again only for other props. Code that cannot be had is an error of whoever draws it, and is asked for
 * again when it is next drawn anew.
 */
export function loadLater<Props extends object>(fetchCode: () => Promise<ComponentType<Props>>): LoadedLater<Props> {
  let code: ComponentType<Props> | undefined;
  const load = async () => (code = await fetchCode());
  const askedFor = () => lazy(async () => ({ default: await load().catch(missing) }));
  let Waiting = askedFor();
  // React draws several times what fails while it is drawn: only once it is on the page does the next drawing ask again.
  function missing(error: unknown): ComponentType<Props> {
    return function Missing() {
      useLayoutEffect(() => {
        Waiting = askedFor();
        throw error;
      });
      return null;
    };
  }
  // What was drawn first stays: another component in its place would forget what it knows.
  function Later(props: Props) {
    const [Drawn] = useState<ComponentType<Props>>(() => code ?? Waiting);
    return <Drawn {...props} />;
  }
  return Object.assign(memo(Later), { load });
}
