/**
 * A wedge scanner types like a very fast person: at least six characters, each within 30 ms of the one before, then Enter
 * or Tab. People do not type like that, so the burst can be told from typing wherever the focus is.
 */
const minimumScanLength = 6;
const maximumScanGapMs = 30;

export interface KeyStroke {
  key: string;
  atMs: number;
}

export interface ScanDetector {
  /** Takes every key in turn. Returns the code when this key ends a scan, else null. */
  press(stroke: KeyStroke): string | null;
  /** How many characters the present burst has so far. */
  readonly burstLength: number;
}

export function createScanDetector(): ScanDetector {
  let buffer = '';
  let lastAtMs = Number.NEGATIVE_INFINITY;

  return {
    get burstLength() {
      return buffer.length;
    },
    press({ key, atMs }) {
      // Shift and its like arrive between the characters of a code with capitals.
      const isCharacter = key.length === 1;
      const ends = key === 'Enter' || key === 'Tab';
      if (!isCharacter && !ends) {
        if (key !== 'Shift' && key !== 'CapsLock') buffer = '';
        return null;
      }
      const inBurst = atMs - lastAtMs <= maximumScanGapMs;
      lastAtMs = atMs;
      if (isCharacter) {
        buffer = inBurst ? buffer + key : key;
        return null;
      }
      const code = inBurst && buffer.length >= minimumScanLength ? buffer : null;
      buffer = '';
      return code;
    },
  };
}
