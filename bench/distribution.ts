import { spawn } from 'node:child_process'
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import path from 'node:path'
import { once } from 'node:events'
import { rankWishes } from '#areas/admission/distribution/input.rules.ts'
import { proveDistribution } from '#areas/admission/distribution/proof/proof.rules.ts'
import { assignStably } from '#areas/admission/distribution/stable.rules.ts'
import { madeInput, writeInstanceFile } from '#areas/admission/distribution/testing.server.ts'
import { temporaryFolder } from '#db/testing.ts'
import { most } from './report.ts'
import type { Line, Result } from './report.ts'

const APPLICANTS = Number(process.env.BENCH_APPLICANTS ?? 1_000_000)
const PROGRAMS = Math.max(20, Math.round(APPLICANTS / 500))
const PREFERENCES = 15

const timed = <T>(work: () => T): [T, number] => {
  const begun = performance.now()
  const result = work()
  return [result, (performance.now() - begun) / 1000]
}

/** A made instance in memory: ranked, assigned, proven. */
function inMemory(
  title: string,
  how: { seats: number; alike: number; popular: number },
): { lines: Line[]; save(file: string): void } {
  const input = madeInput(
    { applicants: APPLICANTS, programs: PROGRAMS, preferences: PREFERENCES, quotas: true, ...how },
    1,
  )
  const [{ ranked }, ranking] = timed(() => rankWishes(input))
  const [{ given, proposals }, assigning] = timed(() => assignStably(ranked))
  const assigned = Int32Array.from(given, (at) => (at < 0 ? -1 : input.wishes[at]!))
  const [proof, proving] = timed(() => proveDistribution(input, assigned))
  if (proof.count || proof.bestForApplicants !== 'yes') throw new Error(JSON.stringify(proof.findings.slice(0, 3)))
  return {
    lines: [
      {
        ...most(`${title}: assignment`, ranking + assigning, 3, 's'),
        value: `${(ranking + assigning).toFixed(2)} s (ranks ${ranking.toFixed(2)}, ${(proposals / 1e6).toFixed(1)} million proposals ${assigning.toFixed(2)})`,
      },
      most(`${title}: proof`, proving, 5, 's'),
    ],
    save: (file) => writeInstanceFile(file, input),
  }
}

/** Runs a command on the files; answers what it told of its steps and the most memory it held, in MB. */
async function command(folder: string, name: string): Promise<{ told: string; memory: number; seconds: number }> {
  const begun = performance.now()
  // The process says itself, when it ends, how much it held.
  const saysMemory = path.join(folder, 'memory.mjs')
  writeFileSync(
    saysMemory,
    `process.on('exit', () => process.stderr.write('memory ' + Math.round(process.resourceUsage().maxRSS / 1000) + '\\n'))`,
  )
  const file = path.join(import.meta.dirname, `../apps/server/commands/${name}.ts`)
  const child = spawn(process.execPath, ['--import', saysMemory, file, 'instance.json', 'result.json'], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  let told = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (told += text))
  const [code] = (await once(child, 'close')) as [number]
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${told}`)
  return { told, memory: Number(/^memory (\d+)$/m.exec(told)?.[1]), seconds: (performance.now() - begun) / 1000 }
}
const step = (told: string, name: string): string =>
  /in ([\d.]+) s$/m.exec(told.split('\n').find((line) => line.includes(name)) ?? '')?.[1] ?? '?'

/** Applicants with fifteen preferences each distributed over programs with quotas, and proven: in memory, and as files by the commands. */
export async function distribution(): Promise<Result> {
  const folder = temporaryFolder('bench-distribution')
  try {
    const before = loadavg()[0]!
    const usual = inMemory('usual', { seats: 0.9, alike: 0.7, popular: 0.5 })
    const scarce = inMemory('scarce, nobody alike', { seats: 0.4, alike: 0, popular: 0.3 })
    const instance = path.join(folder, 'instance.json')
    usual.save(instance)
    const megabytes = statSync(instance).size / 1e6
    const distributed = await command(folder, 'distribute')
    const verified = await command(folder, 'verify-distribution')
    return {
      name: 'distribution',
      title: `${APPLICANTS.toLocaleString('en')} applicants × ${PREFERENCES} preferences, ${PROGRAMS.toLocaleString('en')} programs with quotas`,
      lines: [
        ...usual.lines,
        ...scarce.lines,
        {
          what: 'file',
          value: `${megabytes.toFixed(0)} MB read in ${step(distributed.told, 'read in')} s, result written in ${step(distributed.told, 'written in')} s`,
        },
        { what: 'npm run distribute', value: `${distributed.seconds.toFixed(1)} s` },
        {
          what: 'npm run verify-distribution',
          value: `${verified.seconds.toFixed(1)} s, ${step(verified.told, 'proven in')} s of it the proof`,
        },
        most('memory of distribute', distributed.memory, 4000, 'MB'),
        most('memory of verify', verified.memory, 4000, 'MB'),
        { what: 'load of the machine', value: `${before.toFixed(1)} before, ${loadavg()[0]!.toFixed(1)} after` },
      ],
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
