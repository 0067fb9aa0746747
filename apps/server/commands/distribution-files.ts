/** What the two commands about distributions share: their arguments, progress of long files, and how they refuse. */
import { parseArgs } from 'node:util'
import { FileProblem, type Reading } from '#areas/admission/distribution/files/files.server.ts'

/** The two files a command is given. Ends the process where there are not two. */
export function twoFiles(command: string): { instance: string; result: string } {
  try {
    const { positionals } = parseArgs({ allowPositionals: true, options: {} })
    const [instance, result] = positionals
    if (instance && result && positionals.length === 2) return { instance, result }
  } catch {
    // An option that does not exist.
  }
  process.stderr.write(`usage: npm run ${command} -- INSTANCE.json RESULT.json\n`)
  process.exit(2)
}

/** Tells how far a command is, beside what it prints. */
export const say = (text: string): void => void process.stderr.write(`${text}\n`)
export const since = (begun: number): string => `in ${((performance.now() - begun) / 1000).toFixed(2)} s`

/** Tells every second how far a file is read. */
export function readingOf(file: string): Reading {
  let told = performance.now()
  return (bytes, of) => {
    const now = performance.now()
    if (now - told < 1000) return
    told = now
    const megabytes = (count: number): string => (count / 1e6).toFixed(0)
    say(`${file}: ${megabytes(bytes)}${of ? ` of ${megabytes(of)}` : ''} MB read`)
  }
}

/** Tells why a file cannot be used: the file, the place and every reason. Other errors are faults of the program. */
export function refused(error: unknown): void {
  if (!(error instanceof FileProblem)) throw error
  for (const reason of error.reasons) process.stderr.write(`${error.file}: ${reason}\n`)
  if (error.count > error.reasons.length) process.stderr.write(`${error.file}: … ${error.count} reasons in all\n`)
  process.exitCode = 1
}
