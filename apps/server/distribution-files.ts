/** What the two commands about distributions share: their arguments, progress of long files, and how they refuse. */
import { parseArgs } from 'node:util'
import { InstanceProblem, type CommandVoice, type Reading } from '#areas/admission/distribution/files/files.server.ts'

const tell = (text: string): void => void process.stderr.write(`${text}\n`)

/**
 * Runs a command on the two files it is given, and sets how the process ends: 0 where `work` answers true, 1 where it does not or a file
 * cannot be used, which is told with every reason, 2 where there are not two files. Other errors are faults of the program.
 */
export function withTwoFiles(
  command: string,
  work: (instance: string, result: string, voice: CommandVoice) => boolean,
): void {
  const files = twoFiles()
  if (!files) {
    tell(`usage: npm run ${command} -- INSTANCE.json RESULT.json`)
    process.exitCode = 2
    return
  }
  const print = (line: string): void => void process.stdout.write(`${line}\n`)
  try {
    process.exitCode = work(files[0], files[1], { print, tell, reading: readingOf }) ? 0 : 1
  } catch (error) {
    if (!(error instanceof InstanceProblem)) throw error
    for (const reason of error.reasons) tell(`${error.file}: ${reason}`)
    if (error.count > error.reasons.length) tell(`${error.file}: … ${error.count} reasons in all`)
    process.exitCode = 1
  }
}

function twoFiles(): [string, string] | null {
  try {
    const { positionals } = parseArgs({ allowPositionals: true, options: {} })
    return positionals.length === 2 && positionals[0] && positionals[1] ? [positionals[0], positionals[1]] : null
  } catch {
    // An option that does not exist.
    return null
  }
}

/** Tells every second how far a file is read. */
function readingOf(file: string): Reading {
  let told = performance.now()
  return (bytes, of) => {
    const now = performance.now()
    if (now - told < 1000) return
    told = now
    const megabytes = (count: number): string => (count / 1e6).toFixed(0)
    tell(`${file}: ${megabytes(bytes)}${of ? ` of ${megabytes(of)}` : ''} MB read`)
  }
}
