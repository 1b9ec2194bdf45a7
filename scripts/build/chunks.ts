/**
 * The chunks that screens share, by folder. The bundler places all other modules: with their screen, or in a chunk of
 * the screens that share them. The order matters, because a group also takes the modules that its own modules import.
 */
import type { Rolldown } from 'vite';

/** A module that fewer than four screens use stays with them, so that the others don't load it. */
const minShareCount = 4;

/**
 * The icons of the sign-in page, the counter and its frame. The budgets of `scripts/bundle-size.mjs` notice one that is
 * missing here, because its page then loads the icons of all other screens.
 */
const firstIcons = [
  'banknote',
  'check',
  'chevron-(down|left|right|up)',
  'clipboard-list',
  'cloud(-\\w+)?',
  'door-open',
  'download',
  'eye(-off)?',
  'lock(-keyhole)?',
  'loader-circle',
  'log-(in|out)',
  'minus',
  'plus',
  'refresh-cw',
  'rotate-ccw-clock',
  'search(-x)?',
  'shopping-cart',
  'star',
  'tablet-smartphone',
  'trash(-2)?',
  'user-round(-plus)?',
  'vault',
  'x',
].join('|');

/** What screens read and show; the way of writing follows when the browser is idle. */
const reading =
  'database|ports|singletons|operation-state|rows|worker-messages|queries/(attention|catalogue|orders|outbox|rooms)';

/** The parts of lists and forms, which the counter and the sign-in page don't have. */
const desk = 'check-field|data-table|figure-strip|panel|select-field|skeleton|stat-card|text-area|use-debounced';

export const chunkGroups: Rolldown.CodeSplittingGroup[] = [
  // The page's entry: its packages stay cached when only our own code changes.
  { name: 'framework', test: /node_modules/, tags: ['$initial'] },
  { name: 'app', tags: ['$initial'] },
  // An icon is 300 bytes: twenty files more to install would cost more than the icons that a screen doesn't show.
  { name: 'icons', test: new RegExp(`node_modules/lucide-react/.*/(${firstIcons})\\.mjs$`), minShareCount: 2 },
  { name: 'more-icons', test: /node_modules\/lucide-react\//, minShareCount: 2 },
  { name: 'api', test: /\/src\/api\//, minShareCount },
  { name: 'ui', test: new RegExp(`/src/ui/(?!(${desk})\\.)`), minShareCount },
  { name: 'ui-desk', test: /\/src\/ui\//, minShareCount },
  { name: 'data', test: new RegExp(`/src/(local-data/|db/(${reading})\\.)|/domain/result\\.`), minShareCount },
  { name: 'writing', test: /\/src\/db\//, minShareCount },
  { name: 'sync', test: /\/src\/sync\//, minShareCount },
  { name: 'back-office', test: /\/src\/(server-data|forms|lists|back-office)\//, minShareCount },
];
