/**
 * The chunks that screens share, by folder. The bundler places all other modules: with their screen, or in a chunk of
 * the screens that share them. The order matters, because a group also takes the modules that its own modules import.
 */
import type { Rolldown } from 'vite';

/** A module that fewer than four screens use stays with them, so that the others don't load it. */
const minShareCount = 4;

/** The parts of the counter's first screen that load beside it. */
const frame = 'app/shells/role-shell|features/counter/(create/plan-extras|patients/plan-patient)';

/** The chunks of the first screen after the sign-in, which `classic-scripts.ts` keeps compiled. */
export const firstScreen = ['database', 'counter', 'frame'];

export const chunkGroups: Rolldown.CodeSplittingGroup[] = [
  // The page's entry: its packages stay cached when only our own code changes. Several scripts are several short tasks.
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, tags: ['$initial'] },
  { name: 'framework', test: /node_modules/, tags: ['$initial'] },
  { name: 'app', tags: ['$initial'] },
  { name: 'database', test: /node_modules\/dexie/ },
  // The counter with all that it imports, so that it is few files.
  { name: 'counter', test: /\/src\/features\/counter\/counter-screen\./ },
  { name: 'frame', test: new RegExp(`/src/(${frame})\\.`) },
  // An icon is 300 bytes: twenty files more to install would cost more than the icons that a screen doesn't show.
  { name: 'icons', test: /node_modules\/lucide-react\//, minShareCount: 2 },
  { name: 'api', test: /\/src\/api\//, minShareCount },
  { name: 'ui', test: /\/src\/ui\//, minShareCount },
  { name: 'writing', test: /\/src\/db\//, minShareCount },
  { name: 'sync', test: /\/src\/sync\//, minShareCount },
  { name: 'back-office', test: /\/src\/(server-data|forms|lists|back-office)\//, minShareCount },
  // A file of its own costs an installation more than these small modules weigh.
  { name: 'shared', test: /\/(src|domain)\//, minShareCount: 2, maxModuleSize: 3000 },
];
