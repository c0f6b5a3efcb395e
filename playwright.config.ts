import { defineConfig } from '@playwright/test';

// `cargo xtask test browser` builds the site and chooses browser and port; on their own, the tests take what is usual.
const port = process.env['PORT'] ?? '4187';
const chromium = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

// The built site is served from a folder nobody would choose, which shows that it works from any.
const folder = '/any/folder/';
const address = `http://127.0.0.1:${port}${folder}`;

export default defineConfig({
  testDir: 'www/tests',
  outputDir: 'test-results',
  // Software rendering takes a core for itself.
  workers: 1,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  forbidOnly: process.env['CI'] !== undefined,
  reporter: [['list']],
  use: {
    baseURL: address,
    viewport: { width: 1280, height: 900 },
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: chromium,
      args: [
        '--no-sandbox',
        // Chromium no longer falls back to software WebGL by itself.
        '--use-gl=angle',
        '--use-angle=swiftshader',
        '--enable-unsafe-swiftshader',
        // No word to anyone outside this machine.
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
  webServer: {
    command: `node node_modules/vite/bin/vite.js preview --base ${folder} --port ${port} --strictPort`,
    url: address,
    reuseExistingServer: false,
    timeout: 30_000,
  },
});
