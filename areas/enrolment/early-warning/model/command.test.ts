import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { asCsv, madeStudents } from './testing.rules.ts'

const COMMAND = fileURLToPath(new URL('../../../../apps/server/commands/early-warning.ts', import.meta.url))

test('the command fits a file, scores another, and refuses what it cannot use', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'ems-warning-'))
  const at = (name: string) => path.join(folder, name)
  const run = (...args: string[]) => spawnSync(process.execPath, [COMMAND, ...args], { encoding: 'utf8' })
  try {
    const { heads, rows } = madeStudents(1_000, 4)
    writeFileSync(at('past.csv'), asCsv({ heads, rows: rows.slice(0, 700) }))
    writeFileSync(at('now.csv'), asCsv({ heads, rows: rows.slice(700) }, '\t', ','))
    const fit = run('fit', at('past.csv'), '--target', 'Target', '--out', at('model.json'), '--folds', '3')
    expect(fit).toMatchObject({ status: 0, stderr: '' })
    expect(fit.stdout).toMatch(/^700 rows, 36 columns, classes: Dropout, Enrolled, Graduate\n/)
    expect(fit.stdout).toMatch(/\nmacro-F1 0\.\d{3} ± 0\.\d{3} over 3 folds \(/)
    expect(fit.stdout).toMatch(/\nBrier score 0\.\d{3}, calibration error \(ECE\) 0\.\d{3}\nfitted in \d+\.\d s/)
    const scored = run('score', at('now.csv'), at('model.json'))
    expect(scored.status).toBe(0)
    const lines = scored.stdout.trim().split('\n')
    expect(lines).toHaveLength(301)
    expect(lines[0]).toBe('row,p_Dropout,p_Enrolled,p_Graduate,predicted,reasons')
    expect(scored.stderr).toMatch(/^macro-F1 0\.\d{3} on 300 rows/)
    const kept = run('score', at('now.csv'), at('model.json'), '--out', at('scores.csv'), '--reasons', '0')
    expect(kept.stdout).toMatch(/^macro-F1 0\.\d{3} on 300 rows/)
    expect(readFileSync(at('scores.csv'), 'utf8').split('\n')[1]).toMatch(/^1(,[01]\.\d{4}){3},\w+,$/)
    writeFileSync(at('few.csv'), 'a;b\n1;2\n')
    for (const [args, why] of [
      [[], /^usage/],
      [['fit', at('past.csv'), '--target', 'Target'], /^usage/],
      [['fit', at('past.csv'), '--target', 'Goal', '--out', at('x')], /there is no column "Goal"/],
      [['fit', at('past.csv'), '--target', 'Target', '--out', at('x'), '--folds', '1'], /--folds 1/],
      [['fit', at('nothing'), '--target', 'Target', '--out', at('x')], /ENOENT/],
      [['score', at('few.csv'), at('model.json')], /the model needs columns that are not there: "Marital status", /],
      [['score', at('now.csv'), at('past.csv')], /no model of early warning/],
    ] as const) {
      const refused = run(...args)
      expect(refused, args.join(' ')).toMatchObject({ status: 2, stdout: '' })
      expect(refused.stderr).toMatch(why)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}, 60_000)
