import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { asCsv, madeStudents } from './testing.rules.ts'

const COMMAND = fileURLToPath(new URL('../../../../apps/server/commands/early-warning.ts', import.meta.url))

/** A folder and the command, which is run in it. */
function workplace() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'ems-warning-'))
  return {
    at: (name: string) => path.join(folder, name),
    run: (...args: string[]) => spawnSync(process.execPath, [COMMAND, ...args], { encoding: 'utf8' }),
    gone: () => rmSync(folder, { recursive: true, force: true }),
  }
}

test('the command fits a file, scores another, and refuses what it cannot use', () => {
  const { at, run, gone } = workplace()
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
    gone()
  }
}, 60_000)

test('tables as universities publish them are read: a tab in a head, quotes, UTF-16, decimal commas, cells that are missing', () => {
  const { at, run, gone } = workplace()
  try {
    const { heads, rows } = madeStudents(400, 5)
    const given = heads.map((head) => (head.startsWith('Daytime') ? `${head}\t` : head))
    const holes = rows.map((row, i) =>
      row.map((cell, c) => (c < 36 && (i * 7 + c) % 23 === 0 ? ['', 'NA', '?'][c % 3]! : cell)),
    )
    const file = asCsv({ heads: given, rows: holes }, ';', ',')
    expect(file).toContain(';"Daytime/evening attendance\t";')
    writeFileSync(at('wide.csv'), Buffer.from(file, 'utf16le'))
    const fit = run('fit', at('wide.csv'), '--target', 'Target', '--out', at('model.json'), '--folds', '2')
    expect(fit).toMatchObject({ status: 0, stderr: '' })
    expect(fit.stdout).toMatch(/^400 rows, 3[56] columns, classes: Dropout, Enrolled, Graduate\n/)
    writeFileSync(at('bare.csv'), file)
    expect(run('score', at('bare.csv'), at('model.json'), '--reasons', '0')).toMatchObject({ status: 0 })
    // Marks of school children, quoted here and there; what is a mark is no class, what is made of it is.
    const marks = Array.from({ length: 120 }, (_, i) => [
      i % 3 ? '"GP"' : '"MS"',
      '"F"',
      String(15 + (i % 5)),
      `"${i % 20}"`,
      i % 20 < 10 ? '"fail"' : '"pass"',
    ])
    writeFileSync(
      at('student-mat.csv'),
      [['school', 'sex', 'age', 'G2', 'passed'], ...marks].map((row) => row.join(';')).join('\n'),
    )
    const passed = run('fit', at('student-mat.csv'), '--target', 'passed', '--out', at('passed.json'), '--folds', '2')
    expect(passed).toMatchObject({ status: 0, stderr: '' })
    expect(passed.stdout).toMatch(
      /^120 rows, 3 columns, classes: fail, pass\nleft out: "sex" \(the same in all rows\)\n/,
    )
    const age = run('fit', at('student-mat.csv'), '--target', 'G2', '--out', at('age.json'))
    expect(age).toMatchObject({ status: 2, stdout: '' })
    expect(age.stderr).toBe(
      `too few rows of a class to learn from: ${Array.from({ length: 20 }, (_, i) => `${i} (6)`).join(', ')}; 10 are needed\n`,
    )
  } finally {
    gone()
  }
}, 60_000)

test('what cannot be used is said in a sentence, and what can be set is told', () => {
  const { at, run, gone } = workplace()
  try {
    const help = run('--help')
    expect(help).toMatchObject({ status: 0, stderr: '' })
    for (const option of ['--target', '--out', '--without', '--keep', '--folds', '--seed', '--reasons'])
      expect(help.stdout).toContain(option)
    writeFileSync(at('empty.csv'), '')
    writeFileSync(at('heads.csv'), 'a;b;Target\n')
    writeFileSync(at('book.xlsx'), Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0, 0]))
    writeFileSync(at('old.csv'), Buffer.from('Größe;Target\n1;a\n', 'latin1'))
    writeFileSync(at('open.csv'), 'a;Target\n"1;a\n')
    writeFileSync(at('alike.csv'), `a;b;Target\n${'1;2;x\n'.repeat(40)}`)
    writeFileSync(at('past.csv'), asCsv(madeStudents(120, 6)))
    const fit = (file: string, ...more: string[]) => ['fit', at(file), '--target', 'Target', '--out', at('x'), ...more]
    for (const [args, why] of [
      [['fit', '--taget', 'Target'], /^Unknown option '--taget'[^\n]*\nusage: /],
      [fit('empty.csv'), /empty\.csv: there are no rows below the heads$/],
      [fit('heads.csv'), /heads\.csv: there are no rows below the heads$/],
      [fit('book.xlsx'), /book\.xlsx: no text; save the table as CSV UTF-8$/],
      [fit('old.csv'), /old\.csv: neither UTF-8 nor UTF-16; save it as CSV UTF-8$/],
      [fit('open.csv'), /open\.csv: broken as CSV: /],
      [fit('alike.csv'), /"Target" has one class only/],
      [fit('past.csv', '--without', 'Nothing'), /there is no column "Nothing"$/],
      [
        ['fit', at('past.csv'), '--target', 'Target', '--folds', '2', '--out', at('no/where.json')],
        /where\.json: ENOENT/,
      ],
    ] as const) {
      const refused = run(...args)
      expect(refused, args.join(' ')).toMatchObject({ status: 2, stdout: '' })
      expect(refused.stderr.trim()).toMatch(why)
      expect(refused.stderr).not.toMatch(/\n\s+at /)
    }
  } finally {
    gone()
  }
}, 120_000)
