import type { Shift } from './shift.ts';
export async function audit(_shift: Shift): Promise<string[]> { return []; }
