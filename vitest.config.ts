import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer } from 'vitest/node'
import type { TestSpecification } from 'vitest/node'
import { screensPlugin } from './apps/build/plugins.ts'

/** `JOURNEYS=1` adds the journeys in a real browser, which need a built web application. */
const journeys = Boolean(process.env.JOURNEYS)

/** What takes a minute or more is begun first, so that nobody waits at the end for one file alone. */
const LONG = [
  /every-call/,
  /journeys.(?:term|layout-shift|look|lists)/,
  /trouble.(?:rush|room)/,
  /tests.new/,
  /embedded/,
]
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const found = LONG.findIndex((one) => one.test(moduleId))
      return found === -1 ? LONG.length : found
    }
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b))
  }
}

export default defineConfig({
  plugins: [screensPlugin()],
  test: {
    include: ['**/*.test.ts', '**/*.test.tsx'],
    exclude: [...configDefaults.exclude, '.data/**', ...(journeys ? [] : ['tests/journeys/**'])],
    globalSetup: ['db/testing.setup.ts'],
    environment: 'node',
    pool: 'forks',
    // One more than the cores of the smallest machine: journeys wait for a browser, kills for a restart.
    maxWorkers: 3,
    sequence: { sequencer: LongFirst },
    testTimeout: journeys ? 120_000 : 20_000,
    hookTimeout: 60_000,
    // What comes in time on a machine that does nothing else may take a while beside two other files.
    expect: { poll: { timeout: 10_000 } },
    teardownTimeout: 30_000,
    reporters: ['default'],
  },
})
