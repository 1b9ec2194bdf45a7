/** The process of the tablets, so that their work is not the server's. Arguments: the server's address, how many tablets, how many minutes. */
import { HeadlessTablet } from '../headless-tablet.ts';
import { nothingObserved, Shift } from './tablet-load.ts';

const [url, count, minutes] = [process.argv[2]!, Number(process.argv[3]), Number(process.argv[4])];
/** Signing in is dear by intent. */
const enrolledAtOnce = 4;

/** One in ten is a manager's, who also takes in deliveries. */
const managersAmong = 10;

const enrolled: { tablet: HeadlessTablet; cursor: string; isManager: boolean }[] = [];
async function enrol(place: number): Promise<void> {
  const isManager = place % managersAmong === 0;
  const tablet = await HeadlessTablet.enrol(url, isManager ? 'manager' : 'counter');
  let page = await tablet.pull(null);
  while (page.more) page = await tablet.pull(page.cursor);
  enrolled.push({ tablet, cursor: page.cursor, isManager });
}
for (let from = 0; from < count; from += enrolledAtOnce) {
  await Promise.all(Array.from({ length: Math.min(enrolledAtOnce, count - from) }, (_, place) => enrol(from + place)));
}
process.send!('open');

const seen = nothingObserved();
const untilMs = Date.now() + minutes * 60_000;
await Promise.all(enrolled.map((one) => new Shift({ ...one, seen, untilMs }).work()));
process.send!(seen, () => process.exit(0));
