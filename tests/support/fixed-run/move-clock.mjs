/**
 * Moves the clock of the place where it runs. It refers to nothing outside itself, because pages and service workers get its text.
 *
 * @param {number} offsetMs what the moved clock is ahead of the real one
 */
export function moveClock(offsetMs) {
  const RealDate = Date;
  const now = () => RealDate.now() + offsetMs;
  function MovedDate(...args) {
    if (!new.target) return new RealDate(now()).toString();
    const type = new.target === MovedDate ? RealDate : new.target;
    return Reflect.construct(RealDate, args.length === 0 ? [now()] : args, type);
  }
  // With the same prototype, a date that the platform made is an instance of both.
  MovedDate.prototype = RealDate.prototype;
  MovedDate.prototype.constructor = MovedDate;
  // Fake clocks copy what a `for … in` shows, and the platform's own shows nothing.
  for (const [name, value] of Object.entries({ now, parse: RealDate.parse, UTC: RealDate.UTC }))
    Object.defineProperty(MovedDate, name, { value, writable: true, configurable: true, enumerable: false });
  globalThis.Date = MovedDate;
}
