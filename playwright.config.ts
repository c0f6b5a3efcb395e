import { defineConfig } from '@playwright/test';
import { args, executablePath } from './www/tests/chromium.mjs';

// `cargo xtask test browser` builds the site and chooses a free port.
const port = process.env['PORT'] ?? '4187';

// The built site is served from a folder nobody would choose, which shows that it works from any.
const folder = '/any/folder/';
const address = `http://127.0.0.1:${port}${folder}`;

export default defineConfig({
  testDir: 'www/tests',
  // Tests that need no browser are run by Node: www/tests/units.mjs.
  testMatch: '*.spec.ts',
  outputDir: 'test-results',
  // Files by twos: each page has its own processes, and a core is enough for one. Tests of time, tagged @alone, run by themselves.
  // Tests tagged @apart are run by `cargo xtask test apart`: what README promises has no tag.
  workers: 2,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  forbidOnly: process.env['CI'] !== undefined,
  // Shared machines stall for seconds at times. What passes only at the second try is listed as flaky, to be mended.
  retries: process.env['CI'] === undefined ? 0 : 1,
  reporter: [['list'], ['./www/tests/slow-reporter.ts']],
  use: {
    baseURL: address,
    viewport: { width: 1280, height: 900 },
    // Every test would keep the whole site; those of keeping it allow it.
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
    // Recording every test's pages takes a sixth of the suite's time.
    trace: 'on-first-retry',
    launchOptions: { executablePath, args },
  },
  webServer: {
    command: `node node_modules/vite/bin/vite.js preview --base ${folder} --port ${port} --strictPort`,
    url: address,
    reuseExistingServer: false,
    timeout: 30_000,
  },
});
