import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer } from 'vitest/node'
import type { TestSpecification } from 'vitest/node'
import { screensPlugin } from './apps/build/plugins.ts'
import { notToday } from './tests/turns.ts'

/** `JOURNEYS=1` adds the journeys in a real browser, which need a built web application. */
const journeys = Boolean(process.env.JOURNEYS)

const ALL = ['**/*.test.ts', '**/*.test.tsx']
const EXCLUDED = [
  ...configDefaults.exclude,
  '.data/**',
  ...(journeys ? [] : ['tests/journeys/**']),
  ...notToday(process.env.SHARE_OF_DAY),
]
/**
 * Files that may follow each other in one process: they leave nothing behind in modules. What a process keeps of a
 * database is forgotten when the next is opened (`kit/server/base/kept.ts`). Not those of the kit, which declare workflows and tables
 * of their own that whoever asks for all of them would find (they are `QUICK`); nor those of areas that do the same (`*.own.test.ts`).
 */
const SHARED = [
  'areas/**/!(*.own).test.ts',
  'kit/contract/**/*.test.ts',
  'access/**/*.test.ts',
  'tests/*.test.ts',
  'tests/journeys/**/*.test.ts',
]

/**
 * The same of the kit and the database, by themselves: they are many and over in no time, so that a process for
 * each costs as much as they do. What those of the kit declare has names of its own. Not those that put something in the place of the
 * browser, which modules ask for when they are read.
 */
const QUICK = [
  'kit/web/!(api|auth|offline)/**/*.test.{ts,tsx}',
  'db/{bulk,changed-rows,connect,row-counts,searched}.test.ts',
  'kit/server/**/*.test.ts',
]

/** What takes a minute or more is begun first, so that nobody waits at the end for one file alone. */
const LONG = [
  // One that loads the demo university, and meanwhile what does not need it.
  /every-call/,
  /tests.new/,
  /trouble.(?:rush|folder|connections)/,
  /server.(?:jobs.jobs|resource.imports|resource.resource|http.app)|db.baseline|first-load/,
  /journeys.(?:term|layout-shift|look|lists|welcome|days-of|exams|money|finance)/,
  /trouble.(?:room|dev)/,
  /embedded/,
  /journeys.(?:interns|questions|sponsors|theses|transcript|admission|quality)/,
  /tests.(?:readers|owners|every-workflow|texts|every-reach)/,
]
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const found = LONG.findIndex((one) => one.test(moduleId))
      return found === -1 ? LONG.length : found
    }
    // A process goes on to the next file of its own project only.
    const shared = ({ project }: TestSpecification) => Number(project.name === 'shared')
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b) || shared(a) - shared(b))
  }
}

export default defineConfig({
  plugins: [screensPlugin()],
  test: {
    projects: [
      {
        extends: true,
        test: { name: 'own', include: ALL, exclude: [...EXCLUDED, ...SHARED, ...QUICK], isolate: true },
      },
      { extends: true, test: { name: 'quick', include: QUICK, exclude: EXCLUDED, isolate: false } },
      // Hundreds of modules are read once by each process, not again by each file: a third less work.
      { extends: true, test: { name: 'shared', include: SHARED, exclude: EXCLUDED, isolate: false } },
    ],
    globalSetup: ['db/testing.setup.ts'],
    environment: 'node',
    // Each paper and list that a test makes is judged as PDF/UA-1, too.
    env: { EMS_JUDGE_PDF: '1' },
    pool: 'forks',
    // One more than the cores of the smallest machine, because journeys wait for a browser and kills for a restart. More of
    // them make each late without making all of them sooner.
    maxWorkers: 3,
    sequence: { sequencer: LongFirst },
    // Limits are for what hangs: a machine may have a third of the speed that it had the day before.
    testTimeout: journeys ? 300_000 : 60_000,
    // Some files start a database server of their own beside two other files of the longest work.
    hookTimeout: 900_000,
    // What comes in time on a machine that does nothing else may take a while beside two other files.
    expect: { poll: { timeout: 30_000 } },
    teardownTimeout: 90_000,
    reporters: ['default'],
  },
})
