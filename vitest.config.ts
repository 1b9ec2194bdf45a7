import { defineConfig, mergeConfig } from 'vitest/config';
import { LongestFirst } from './scripts/tests/longest-first.ts';
import { testProjects } from './scripts/tests/projects.ts';
import { fixRun } from './tests/support/fixed-run/fixed-run.ts';
import app from './vite.config.ts';

fixRun();

// A file of its own, because an image is built without the tests.
export default mergeConfig(
  app,
  defineConfig({
    test: {
      globalSetup: ['tests/support/global-setup.ts'],
      // Developers' machines and CI may have two cores, and PostgreSQL needs one of them.
      maxWorkers: 2,
      // Long files first, so that no worker is left alone with one at the end.
      sequence: { sequencer: LongestFirst },
      projects: testProjects,
    },
  }),
);
