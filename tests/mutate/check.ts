import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from './codes.ts'
import type { Mutation } from './mutations.ts'

/** Test files at a path: one file, or all of a folder. */
const filesOf = (tests: string): string[] =>
  globSync(tests.endsWith('.ts') ? tests : `${tests}/**/*.test.{ts,tsx}`, { cwd: ROOT })

/** Mutations that break nothing any more: their text or their tests are not there. */
export function staleMutations(
  mutations: readonly Mutation[],
): { readonly mutation: Mutation; readonly why: string }[] {
  const sources = new Map<string, string | null>()
  const sourceOf = (file: string): string | null => {
    let source = sources.get(file)
    if (source === undefined) {
      try {
        source = readFileSync(path.join(ROOT, file), 'utf8')
      } catch {
        source = null
      }
      sources.set(file, source)
    }
    return source
  }
  return mutations.flatMap((mutation) => {
    const { file, find, replace, tests } = mutation
    const source = sourceOf(file)
    // Where no test is, none is missed: that would look like a rule that is guarded.
    const untested = tests.find((one) => !filesOf(one).length)
    const times = (source?.split(find).length ?? 1) - 1
    const why =
      source === null
        ? 'there is no such file'
        : untested !== undefined
          ? `there is no test at ${untested}`
          : times !== 1
            ? `its text stands there ${times} times`
            : find === replace
              ? 'it changes nothing'
              : null
    return why === null ? [] : [{ mutation, why }]
  })
}
