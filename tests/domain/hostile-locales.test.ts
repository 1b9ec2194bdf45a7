/** The domain in an engine whose `Intl` writes every locale in another way, as versions of ICU do. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

const { DateTimeFormat } = Intl;
type Part = Intl.DateTimeFormatPart;

/** Writes American dates whatever the locale, with parts in another order, without leading zeros and with odd marks. */
class Hostile {
  readonly #own: Intl.DateTimeFormat;
  constructor(locale: string, options: Intl.DateTimeFormatOptions) {
    this.#own = new DateTimeFormat(locale, options);
  }
  format(instant: number | Date): string {
    const { timeZone } = this.#own.resolvedOptions();
    return new DateTimeFormat('en-US', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(instant);
  }
  formatToParts(instant: number | Date): Part[] {
    const plain = ({ type, value }: Part): Part => ({ type, value: value.replace(/^0(?=\d)/, '') });
    const mark: Part = { type: 'literal', value: '\u202f‏' };
    return this.#own
      .formatToParts(instant)
      .toReversed()
      .flatMap((part) => [plain(part), mark]);
  }
  resolvedOptions(): Intl.ResolvedDateTimeFormatOptions {
    return this.#own.resolvedOptions();
  }
}

/** Loads the modules anew, because they keep the formats that they have made. */
async function domain() {
  vi.resetModules();
  const [days, zoned, zones, documents] = await Promise.all([
    import('#domain/business-day.ts'),
    import('#domain/fiscal/zoned.ts'),
    import('#domain/time-zone.ts'),
    import('#domain/fiscal/documents.ts'),
  ]);
  return { ...days, ...zoned, ...zones, ...documents };
}

beforeEach(() =>
  vi.stubGlobal(
    'Intl',
    new Proxy(Intl, { get: (target, name) => (name === 'DateTimeFormat' ? Hostile : Reflect.get(target, name)) }),
  ),
);
afterEach(() => vi.unstubAllGlobals());

describe('with hostile locale data', () => {
  test('SYNC-14 a business day and its start are the same', async () => {
    const { businessDay, startOfDay } = await domain();
    expect(businessDay(Date.UTC(2026, 10, 22, 23, 30), 'Europe/Madrid')).toBe('2026-11-23');
    expect(businessDay(Date.UTC(2026, 0, 1, 11) - 1, 'Pacific/Pago_Pago')).toBe('2025-12-31');
    expect(new Date(startOfDay('2026-03-30', 'Europe/Madrid')).toISOString()).toBe('2026-03-29T22:00:00.000Z');
  });

  test('fiscal times are the same', async () => {
    const { fiscalDay, businessDay, zonedInstant } = await domain();
    const at = Date.UTC(2026, 10, 23, 8, 5, 9, 700);
    expect(zonedInstant(at, 'Europe/Madrid')).toBe('2026-11-23T09:05:09+01:00');
    expect(zonedInstant(at, 'America/St_Johns')).toBe('2026-11-23T04:35:09-03:30');
    expect(fiscalDay(businessDay(at, 'Europe/Madrid'))).toBe('23-11-2026');
  });
});

/** Returns a function that gives the local time as the engine itself knows it. */
function clockOf(timeZone: string): (instantMs: number) => string {
  const numeric = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const time = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
  const format = new DateTimeFormat('en-GB', { timeZone, ...numeric, ...time });
  return (instantMs) => {
    const part = Object.fromEntries(format.formatToParts(instantMs).map(({ type, value }) => [type, value]));
    return `${part['year']}-${part['month']}-${part['day']}T${part['hour']}:${part['minute']}:${part['second']}`;
  };
}

describe('local time', () => {
  test.each([
    'Europe/Madrid',
    // Their clocks have changed a minute after the hour.
    'America/St_Johns',
    'Antarctica/Casey',
    'Asia/Kathmandu',
    // It has left out a day.
    'Pacific/Apia',
    'Africa/Casablanca',
  ])('is that of the engine in %s, around every change of the clock and before 1970', async (timeZone) => {
    const { localTime } = await domain();
    const clock = clockOf(timeZone);
    const offset = (at: number) => Date.parse(`${clock(at)}Z`) - Math.floor(at / 1000) * 1000;
    const instants = [Date.UTC(1931, 3, 19, 1), Date.UTC(1901, 0, 1), Date.UTC(1969, 11, 31, 23, 59, 59)];
    const changes: number[] = [];
    const stepMs = 3 * 86_400_000 + 1_000_003;
    for (let at = Date.UTC(2011, 0, 1); at < Date.UTC(2027, 0, 1); at += stepMs) {
      instants.push(at);
      if (offset(at) === offset(at + stepMs)) continue;
      let [before, after] = [at, at + stepMs];
      while (after - before > 1) {
        const middle = Math.floor((before + after) / 2);
        if (offset(middle) === offset(at)) before = middle;
        else after = middle;
      }
      changes.push(before, after);
    }
    const told = [...instants, ...changes].filter((at) => localTime(at, timeZone) !== clock(at));
    expect(told.map((at) => new Date(at).toISOString())).toEqual([]);
    expect(changes.length > 0).toBe(timeZone !== 'Asia/Kathmandu');
  });
});
