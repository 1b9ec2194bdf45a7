/** How much a full budget holds, and how fast it fills. */
export interface Budget {
  most: number;
  perSecond: number;
}

export interface Level extends Budget {
  left: number;
  atMs: number;
}

/** A clock that is set back fills nothing. */
export function filled(level: Level, atMs: number): Level {
  const seconds = Math.max(0, atMs - level.atMs) / 1000;
  level.left = Math.min(level.most, level.left + seconds * level.perSecond);
  level.atMs = atMs;
  return level;
}
