import type { Comparison } from './measure.ts'

/** One line of the report: what was measured, and against what. */
export interface Line {
  readonly what: string
  readonly value: string
  readonly target?: string
  /** Whether the target is met; absent where there is none. */
  readonly met?: boolean
}
export interface Result {
  readonly name: string
  readonly title: string
  readonly lines: readonly Line[]
}

const two = (n: number) => n.toFixed(2)
/** A line with a figure that should not be above, or below, its target. */
export const most = (what: string, n: number, target: number, unit: string): Line => ({
  what,
  value: `${two(n)} ${unit}`,
  target: `≤ ${target} ${unit}`,
  met: n <= target,
})
export const least = (what: string, n: number, target: number): Line => ({
  what,
  value: two(n),
  target: `≥ ${target}`,
  met: n >= target,
})

/** What a comparison with bare SQL says. */
export const figures = (
  name: string,
  title: string,
  { ratio, ours, bare, cpu, bareDatabase }: Comparison,
  target: { ratio?: number; server?: number; database?: number },
  more: readonly Line[] = [],
): Result => ({
  name,
  title,
  lines: [
    target.ratio === undefined ? { what: 'of bare SQL', value: two(ratio) } : least('of bare SQL', ratio, target.ratio),
    {
      what: 'answers per second',
      value: `${Math.round(ours.perSecond)}, bare ${Math.round(bare.perSecond)}`,
    },
    { what: 'answered within', value: `${two(ours.p50)} ms half, ${two(ours.p99)} ms 99 of 100` },
    target.server === undefined
      ? { what: 'CPU of the server', value: `${two(cpu.server)} ms` }
      : most('CPU of the server', cpu.server, target.server, 'ms'),
    target.database === undefined
      ? { what: 'CPU of the database', value: `${two(cpu.database)} ms, bare ${two(bareDatabase)} ms` }
      : most('CPU of the database', cpu.database, target.database, 'ms'),
    ...(target.database === undefined ? [] : [{ what: 'CPU of bare SQL', value: `${two(bareDatabase)} ms` }]),
    ...more,
  ],
})

/** Prints a result as lines of a table, which can stand in the README. */
export function print({ name, title, lines }: Result): void {
  console.log(`\n${name}: ${title}`)
  for (const { what, value, target, met } of lines) {
    const verdict = met === undefined ? '' : `  target ${target}  ${met ? 'met' : 'MISSED'}`
    console.log(`  ${what.padEnd(24)} ${value.padEnd(36)}${verdict}`)
  }
}
