import { configDefaults, defineConfig } from 'vitest/config'
import { screensPlugin } from './apps/build/plugins.ts'

/** `JOURNEYS=1` adds the journeys in a real browser, which need a built web application. */
const journeys = Boolean(process.env.JOURNEYS)

export default defineConfig({
  plugins: [screensPlugin()],
  test: {
    include: ['**/*.test.ts', '**/*.test.tsx'],
    exclude: [...configDefaults.exclude, '.data/**', ...(journeys ? [] : ['tests/journeys/**'])],
    globalSetup: ['db/testing.setup.ts'],
    environment: 'node',
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: journeys ? 120_000 : 20_000,
    hookTimeout: 60_000,
    teardownTimeout: 30_000,
    reporters: ['default'],
  },
})
