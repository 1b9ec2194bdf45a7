import { lazy, memo, useLayoutEffect, useState } from 'react';
import type { ComponentType, NamedExoticComponent } from 'react';

export interface LoadedLater<Props extends object> extends NamedExoticComponent<Props> {
  /** Loads the code now. Rejects if the code cannot be loaded; a later call tries again. */
  load: () => Promise<unknown>;
}

/**
 * Returns a component whose code loads on its first render, or earlier by `load`, together with Chakra. The screens of the
 * first path use `loadPlain` instead.
 */
export const loadLater = <Props extends object>(fetchCode: () => Promise<ComponentType<Props>>): LoadedLater<Props> =>
  loadPlain(async () => {
    const [{ Themed }, Code] = await Promise.all([import('./themed.tsx'), fetchCode()]);
    return (props: Props) => (
      <Themed>
        <Code {...props} />
      </Themed>
    );
  });

/**
 * Returns a component whose code loads on its first render, or earlier by `load`. It has no component of Chakra.
 *
 * React's `lazy` shows its fallback even if the code has loaded, and React then waits up to 0.3 s before it renders
 * the content. This component renders at once, and again only if its props change. If the code cannot be loaded, it
 * throws to the nearest error boundary, and tries again the next time it is mounted.
 */
export function loadPlain<Props extends object>(fetchCode: () => Promise<ComponentType<Props>>): LoadedLater<Props> {
  let code: ComponentType<Props> | undefined;
  const load = async () => (code = await fetchCode());
  const lazyCode = () => lazy(async () => ({ default: await load().catch(missing) }));
  let Loading = lazyCode();
  // React renders a component that throws several times. Throwing in an effect starts only one new attempt.
  function missing(error: unknown): ComponentType<Props> {
    return function Missing() {
      useLayoutEffect(() => {
        Loading = lazyCode();
        throw error;
      });
      return null;
    };
  }
  // The component of the first render stays: another one in its place would lose its state.
  function Later(props: Props) {
    const [Content] = useState<ComponentType<Props>>(() => code ?? Loading);
    return <Content {...props} />;
  }
  return Object.assign(memo(Later), { load });
}
