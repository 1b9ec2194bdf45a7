/** The process of the tablets, separate so that their work is not measured as the server's. Arguments: server address, number of tablets, minutes. */
import { HeadlessTablet } from '../headless-tablet.ts';
import { nothingObserved, TabletLoad } from './tablet-load.ts';

const [url, count, minutes] = [process.argv[2]!, Number(process.argv[3]), Number(process.argv[4])];
/** Sign-ins are slow on purpose, so only a few run at once. */
const enrolledAtOnce = 4;

/** One tablet in ten belongs to a manager, who also records deliveries. */
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
await Promise.all(enrolled.map((one) => new TabletLoad({ ...one, seen, untilMs }).work()));
process.send!(seen, () => process.exit(0));
