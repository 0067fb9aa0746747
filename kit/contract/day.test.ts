import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayOf, instantAt, isElsewhere, setZone, timeOf } from './day.ts'

const root = path.join(import.meta.dirname, '../..')

describe('the clock of the university', () => {
  const machine = process.env.TZ
  beforeAll(() => {
    process.env.TZ = 'America/New_York'
    setZone('Africa/Cairo')
  })
  afterAll(() => {
    if (machine === undefined) delete process.env.TZ
    else process.env.TZ = machine
    setZone(null)
  })
  it('tells days and times to a reader in New York as at the university', () => {
    expect([dayOf('2026-09-19T22:00:00Z'), timeOf('2026-09-19T22:00:00Z')]).toEqual(['2026-09-20', '01:00'])
    expect(isElsewhere('2026-09-19T22:00:00Z')).toBe(true)
    process.env.TZ = 'Africa/Johannesburg'
    // The same time in winter, an hour less in summer.
    expect([isElsewhere('2026-01-10T10:00:00Z'), isElsewhere('2026-07-10T10:00:00Z')]).toEqual([false, true])
    process.env.TZ = 'America/New_York'
  })
  it.each([
    ['2026-02-01', '00:00', '2026-01-31T22:00:00.000Z'],
    ['2026-07-01', '09:30', '2026-07-01T06:30:00.000Z'],
    // Clocks go from 00:00 to 01:00 on the last Friday of April: an hour that is not there.
    ['2026-04-24', '00:30', '2026-04-23T22:30:00.000Z'],
    ['2026-04-24', '01:00', '2026-04-23T22:00:00.000Z'],
    // And back from 24:00 to 23:00 on the last Thursday of October: the hour before midnight comes twice.
    ['2026-10-29', '23:30', '2026-10-29T20:30:00.000Z'],
    ['2026-10-30', '00:00', '2026-10-29T22:00:00.000Z'],
  ])('%s %s is %s', (day, time, instant) => {
    expect(instantAt(day, time).toISOString()).toBe(instant)
  })
  it('every half hour of a year comes back as it was written, but the one that is skipped', () => {
    const lost: string[] = []
    for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2027, 0, 1); at += 1_800_000) {
      const [day, time] = [new Date(at).toISOString().slice(0, 10), new Date(at).toISOString().slice(11, 16)]
      const made = instantAt(day, time)
      if (dayOf(made) !== day || timeOf(made) !== time) lost.push(`${day} ${time}`)
    }
    expect(lost).toEqual(['2026-04-24 00:00', '2026-04-24 00:30'])
  })
  it('is not changed by a name that is no zone', () => {
    setZone('Mars/Olympus')
    expect(timeOf('2026-09-19T22:00:00Z')).toBe('01:00')
  })
})

describe('days of instants', () => {
  const zone = process.env.TZ
  beforeAll(() => {
    process.env.TZ = 'Africa/Cairo'
  })
  afterAll(() => {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  })
  it('are those of the place, not of UTC', () => {
    // Midnight in Cairo is the evening before in UTC.
    expect(dayOf('2026-09-19T22:00:00.000Z')).toBe('2026-09-20')
    expect(dayOf(new Date('2026-01-05T21:59:00Z'))).toBe('2026-01-05')
  })
  /** What is cut there is no instant of the database: days by arithmetic in UTC, cells of sheets, endings of files. */
  const DAYS_OR_TEXTS = new Set([
    'areas/people/access-and-people/second-factor/totp.server.ts',
    'areas/enrolment/attendance/meetings/import.server.ts',
    'kit/contract/day.ts',
    'kit/server/base/fields.ts',
    'kit/server/files/files.ts',
    'kit/server/sheets/sheet.worker.ts',
    'areas/office/oneroster/bundle/rows.rules.ts',
    'areas/records/students/student/person.rules.ts',
  ])
  it('are never made by cutting the text of an instant', () => {
    const CUT = /\.(?:slice|substring|substr)\(0, ?10\)|\.split\('T'\)/
    const found = globSync('{kit,areas,access}/**/*.{ts,tsx}', { cwd: root })
      .map((file) => file.replaceAll(path.sep, '/'))
      .filter((file) => !file.endsWith('.test.ts') && !DAYS_OR_TEXTS.has(file))
      .flatMap((file) =>
        readFileSync(path.join(root, file), 'utf8')
          .split('\n')
          .flatMap((line, i) => (CUT.test(line) ? [`${file}:${i + 1} ${line.trim()}`] : [])),
      )
    expect(found).toEqual([])
  })
  it('are asked of the university, in whose calendar today begins at its own midnight', () => {
    // Comments, and what leaves a day of grace to whichever calendar the session has.
    const SPOKEN = /^\s*--.*|current_date \+ 1\)/
    const SESSION = /\bcurrent_date\b|\bnow\(\)::date|\blocaltimestamp\b/i
    const found = globSync('{kit,areas,access,apps,bench,tests,db/migrations,db/functions}/**/*.{ts,tsx,sql}', {
      cwd: root,
    })
      .map((file) => file.replaceAll(path.sep, '/'))
      .filter((file) => file !== 'kit/contract/day.test.ts')
      .flatMap((file) =>
        readFileSync(path.join(root, file), 'utf8')
          .split('\n')
          .flatMap((line, i) => (SESSION.test(line.replace(SPOKEN, '')) ? [`${file}:${i + 1} ${line.trim()}`] : [])),
      )
    expect(found).toEqual([])
  })
})
