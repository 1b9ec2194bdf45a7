export function moveClock(offsetMs: number): void;
