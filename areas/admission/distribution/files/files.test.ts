import fc from 'fast-check'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '#db/testing.ts'
import { rankWishes } from '../input.rules.ts'
import {
  bestByTheWords,
  chance,
  instanceColumns,
  madeInput,
  writeInstanceFile,
  type InstanceFile,
} from '../testing.server.ts'
import { InstanceProblem } from './files.server.ts'
import { readInstance } from './instance.server.ts'
import { JsonProblem, JsonReader } from './json.server.ts'
import { readAssignment, writeResult } from './result.server.ts'
import { TextTable } from './texts.server.ts'

const decoded = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8')
/** A reader that is given so many bytes at a time, with room for few. */
function readerOf(bytes: Uint8Array, step = 7): JsonReader {
  let at = 0
  return new JsonReader((room) => {
    const count = Math.min(step, room.length, bytes.length - at)
    room.set(bytes.subarray(at, at + count))
    at += count
    return count
  }, 16)
}
/** Whatever comes, as JSON.parse has it. */
function valueOf(reader: JsonReader): unknown {
  const text = () => decoded(reader.bytes.subarray(reader.from, reader.to))
  switch (reader.kind()) {
    case 'string':
      reader.text()
      return text()
    case 'number':
      return reader.number()
    case 'true, false or null':
      return reader.literal()
    case 'array': {
      const list: unknown[] = []
      reader.array(() => list.push(valueOf(reader)))
      return list
    }
    case 'object': {
      const entries: [string, unknown][] = []
      const names: string[] = []
      reader.object(
        () => names.push(text()) - 1,
        (name) => entries.push([names[name]!, valueOf(reader)]),
      )
      return Object.fromEntries(entries)
    }
  }
}
const read = (bytes: Uint8Array, step?: number): unknown => {
  const reader = readerOf(bytes, step)
  const value = valueOf(reader)
  reader.finish()
  return value
}

describe('JSON, piece by piece', () => {
  it('is read as JSON.parse reads it, however it is cut and written', () => {
    const escaped = (text: string): string =>
      text.replaceAll(/[\u0080-\uffff]/g, (half) => `\\u${half.charCodeAt(0).toString(16).padStart(4, '0')}`)
    fc.assert(
      fc.property(
        fc.json({ stringUnit: 'grapheme' }),
        fc.integer({ min: 1, max: 30 }),
        fc.constantFrom(
          (text: string) => text,
          (text: string) => JSON.stringify(JSON.parse(text), null, '\t'),
          escaped,
        ),
        (text, step, write) => {
          const written = write(text)
          expect(read(Buffer.from(written), step)).toEqual(JSON.parse(written))
          const skipped = readerOf(Buffer.from(written), step)
          skipped.skip()
          skipped.finish()
        },
      ),
      { numRuns: 1500 },
    )
    expect(read(Buffer.from('"\\ud83d\\ude00 \\ud83d\\u0041"'), 3)).toBe('\u{1f600} \ufffd\ufffd\ufffdA')
  })
  it('refuses what JSON.parse refuses, and nothing else', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '\\',
      '1',
      '-',
      '0',
      '.5',
      'e2',
      'true',
      'null',
      'nul',
      ' ',
      '\n',
      '"\\u0041"',
      '\\u12',
      '"\u0001"',
      'é',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 9 }), fc.integer({ min: 1, max: 9 }), (pieces, step) => {
        const text = pieces.join('')
        let expected: { value: unknown } | null = null
        try {
          expected = { value: JSON.parse(text) }
        } catch {
          // Refused.
        }
        try {
          const value = read(Buffer.from(text), step)
          expect({ value }).toEqual(expected)
        } catch (error) {
          if (!(error instanceof JsonProblem)) throw error
          expect(expected).toBeNull()
        }
      }),
      { numRuns: 20_000 },
    )
  })
  it.each<[string, Uint8Array | string, string, RegExp]>([
    ['a missing comma', '{"a": 1\n  "b": 2}', 'line 2, column 3', /, or \} is expected/],
    ['the end', '{"a": [1, 2', 'line 1, column 12', /the file ends/],
    ['a string without end', '["abc', 'line 1, column 2', /does not end/],
    ['nothing', '', 'line 1, column 1', /the file ends, and a value/],
    ['something after it', '{} x', 'line 1, column 4', /the end of the file/],
    ['a number that is none', '[01]', 'line 1, column 2', /a number/],
    ['bytes that are no UTF-8', Uint8Array.of(34, 0xff, 34), 'line 1, column 3', /UTF-8/],
    ['UTF-8 longer than it has to be', Uint8Array.of(34, 0xc0, 0x80, 34), 'line 1, column 3', /UTF-8/],
    ['half a pair as bytes', Uint8Array.of(34, 0xed, 0xa0, 0x80, 34), 'line 1, column 5', /UTF-8/],
    ['a line within a string', '["a\nb"]', 'line 1, column 5', /escape/],
    ['an escape that there is none of', '["\\x"]', 'line 1, column 5', /escape/],
    ['a thousand levels', '['.repeat(1000), 'line 1, column 501', /levels/],
  ])('tells the place of %s', (_, text, place, message) => {
    const reader = readerOf(Buffer.from(text))
    expect(() => {
      reader.skip()
      reader.finish()
    }).toThrow(expect.objectContaining({ place, message: expect.stringMatching(message) as string }))
  })
  it('knows whole numbers by how they are written, however long', () => {
    const whole = (text: string) => {
      const reader = readerOf(Buffer.from(`[${text}]`), 3)
      let answer: string | false = false
      reader.array(() => {
        if (reader.wholeNumber()) answer = decoded(reader.bytes.subarray(reader.from, reader.to))
      })
      return answer
    }
    for (const text of ['0', '7', '-12', '1234567890123456789012345678901234567890']) expect(whole(text)).toBe(text)
    for (const text of ['-0', '1.0', '1e3', '-1E+2', '0.5']) expect(whole(text)).toBe(false)
    for (const text of ['-', '1.', '--1', '1-', '01']) expect(() => whole(text)).toThrow(JsonProblem)
  })
  it('passes over the mark that some programs write first', () => {
    expect(read(Buffer.from('\ufeff{"a":1}'), 2)).toEqual({ a: 1 })
  })
})

describe('texts by number', () => {
  it('have one number each, short and long', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.string({ minLength: 20, maxLength: 30 }), fc.constantFrom('', 'a')), {
          maxLength: 3000,
        }),
        (texts) => {
          const table = new TextTable()
          const numbers = new Map<string, number>()
          for (const text of texts) {
            const bytes = Buffer.from(text.toWellFormed())
            // Few hashes, so that many texts share one.
            const as = { bytes, from: 0, to: bytes.length, hash: bytes.length % 5 }
            const known = numbers.get(bytes.toString())
            expect(table.numberOf(as)).toBe(known ?? -1)
            expect(table.numberFor(as)).toBe(known ?? numbers.size)
            numbers.set(bytes.toString(), known ?? numbers.size)
          }
          expect(table.size).toBe(numbers.size)
          for (const [text, number] of numbers) expect(table.textOf(number)).toBe(text)
        },
      ),
      { numRuns: 20 },
    )
  })
})

let folder = ''
beforeAll(() => {
  folder = temporaryFolder('distribution-files')
})
const file = (name: string, content?: unknown): string => {
  const whole = path.join(folder, name)
  if (content !== undefined) writeFileSync(whole, typeof content === 'string' ? content : JSON.stringify(content))
  return whole
}
const reasonsOf = (content: unknown): readonly string[] => {
  try {
    readInstance(file('wrong.json', content))
  } catch (error) {
    if (error instanceof InstanceProblem) return error.reasons
    throw error
  }
  return []
}

const SMALL: InstanceFile = {
  applicants: [
    { id: 'a', groups: ['t'], preferences: ['p', 'q'] },
    { id: 'b', preferences: ['p'] },
    { id: 'c', groups: [], preferences: [] },
  ],
  programs: [
    { id: 'p', capacity: 1, ranking: ['b', 'a'], maximum: { f: 1 }, reserved: { t: 1 } },
    { id: 'q', capacity: 2, ranking: ['c', 'a'] },
  ],
}

describe('the file of an instance', () => {
  it('is read into the columns that its objects make, in whatever order names stand', () => {
    const name: fc.Arbitrary<string> = fc.constantFrom('a', 'b', 'é"\\', '\u{1f600}', ' ', '10', '2')
    const list = fc.array(name, { maxLength: 4 })
    const limit = fc.option(fc.dictionary(name, fc.nat({ max: 9 })), { nil: undefined })
    fc.assert(
      fc.property(
        fc.uniqueArray(name, { maxLength: 6 }),
        fc.uniqueArray(name, { minLength: 1, maxLength: 6 }),
        fc.infiniteStream(
          fc.record({
            groups: fc.option(list, { nil: undefined }),
            list,
            limit,
            more: limit,
            capacity: fc.nat(),
            turn: fc.nat(),
          }),
        ),
        (people, places, by) => {
          const turned = <T extends object>(value: T, turn: number): T => {
            const entries = Object.entries(value).filter(([, one]) => one !== undefined)
            return Object.fromEntries([
              ...entries.slice(turn % 3),
              ['more', [{ x: 1 }]],
              ...entries.slice(0, turn % 3),
            ]) as T
          }
          const next = () => by.next().value!
          const instance: InstanceFile = {
            applicants: people.map((id) => {
              const { groups, list: wishes, turn } = next()
              return turned({ id, groups, preferences: wishes.filter((p: string) => places.includes(p)) }, turn)
            }),
            programs: places.map((id) => {
              const { capacity, list: ranking, limit: maximum, more: reserved, turn } = next()
              return turned({ id, capacity, ranking, maximum, reserved }, turn)
            }),
          }
          const whole = next().turn % 2 ? { programs: instance.programs, applicants: instance.applicants } : instance
          const { input, names } = readInstance(file('any.json', whole))
          const expected = instanceColumns(instance)
          // Groups are numbered as they come: compared by name.
          const groupNames = [...Array(names.groups.size).keys()].map((g) => names.groups.textOf(g))
          const limits = ({ programs }: typeof input, called: (g: number) => string) =>
            programs.map((one) => ({ ...one, limits: one.limits.map((l) => ({ ...l, group: called(l.group) })) }))
          const known = [
            ...new Set([
              ...instance.applicants.flatMap((a) => a.groups ?? []),
              ...instance.programs.flatMap((p) => [...Object.keys(p.reserved ?? {}), ...Object.keys(p.maximum ?? {})]),
            ]),
          ].map((one) => Buffer.from(one).toString('utf8'))
          // Whole numbers as names come first in an object of JavaScript, wherever they were written: so they do in both.
          expect(limits(input, (g) => groupNames[g]!)).toEqual(limits(expected, (g) => known[g]!))
          for (const key of ['wishAt', 'wishes', 'rankAt', 'ranking', 'groupAt'] as const)
            expect([...input[key]], key).toEqual([...expected[key]])
          expect([...input.groups].map((g) => groupNames[g])).toEqual([...expected.groups].map((g) => known[g]))
          expect(rankWishes(input).ranked.ranks).toEqual(rankWishes(expected).ranked.ranks)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('knows an id by how it is written, as a string or a number', () => {
    const { input, names } = readInstance(
      file('numbers.json', {
        applicants: [{ id: 7, preferences: ['1', 1] }],
        programs: [{ id: 1, capacity: 1, ranking: ['7', 'x'] }],
      }),
    )
    expect([...input.wishes]).toEqual([0, 0])
    expect([...input.ranking]).toEqual([0, -1])
    expect(names.programIsNumber).toEqual([true])
  })

  it('may lack groups and limits, or have null for them', () => {
    const { input } = readInstance(
      file('nulls.json', {
        applicants: [{ id: 'a', groups: null, preferences: [] }],
        programs: [{ id: 'p', capacity: 3e10, ranking: [], maximum: null, reserved: null }],
      }),
    )
    expect(input.programs).toEqual([{ capacity: 2 ** 31 - 1, limits: [] }])
  })

  it('fills reserved seats in the order in which they are written, also of groups that are called by numbers', () => {
    const { input, names } = readInstance(
      file(
        'order.json',
        '{"applicants":[],"programs":[{"id":"p","capacity":1,"ranking":[],"maximum":{"2":1,"b":3},"reserved":{"b":1,"10":2}}]}',
      ),
    )
    expect(
      input.programs[0]!.limits.map(({ group, maximum, reserved }) => [names.groups.textOf(group), maximum, reserved]),
    ).toEqual([
      ['b', 3, 1],
      ['10', null, 2],
      ['2', 1, 0],
    ])
  })

  it('tells who is ranked twice or is a stranger, and refuses neither', () => {
    const { strangers, rankedAgain } = readInstance(
      file('twice.json', {
        applicants: [{ id: 'a', preferences: ['p'] }],
        programs: [{ id: 'p', capacity: 1, ranking: ['a', 'x', 'a'] }],
      }),
    )
    expect({ strangers, rankedAgain }).toEqual({ strangers: 1, rankedAgain: 1 })
  })

  const one = (applicant: object, program: object = {}) => ({
    applicants: [{ id: 'a', preferences: [], ...applicant }],
    programs: [{ id: 'p', capacity: 1, ranking: [], ...program }],
  })
  it.each<[string, unknown, string[]]>([
    ['no object', '[]', ['line 1, column 1: An instance is an object with applicants and programs.']],
    ['nothing in it', {}, ['The file has no applicants.', 'The file has no programs.']],
    ['a list that is none', { applicants: {}, programs: [] }, ['applicants (line 1, column 15): A list is expected.']],
    [
      'an applicant that is none',
      { applicants: [1], programs: [] },
      ['applicants[0] (line 1, column 16): An object is expected.'],
    ],
    [
      'no id',
      { applicants: [{ preferences: [] }], programs: [] },
      ['applicants[0].id (line 1, column 34): The id is missing.'],
    ],
    [
      'no preferences',
      { applicants: [{ id: 'a' }], programs: [] },
      ['applicants[0].preferences (line 1, column 26): The preferences are missing.'],
    ],
    [
      'preferences that are no list',
      one({ preferences: 'p' }),
      ['applicants[0].preferences (line 1, column 40): A list is expected.'],
    ],
    [
      'preferences that are null',
      one({ preferences: null }),
      ['applicants[0].preferences (line 1, column 40): A list is expected.'],
    ],
    [
      'an unknown program',
      one({ preferences: ['p', 'x'] }),
      ['applicants[0].preferences[1]: "x" is none of the programs.'],
    ],
    [
      'ids of another kind',
      one({ preferences: ['p', 1.5, null, ['p']] }),
      [
        'applicants[0].preferences[1] (line 1, column 45): An id is a string or a whole number.',
        'applicants[0].preferences[2] (line 1, column 49): An id is a string or a whole number.',
        'applicants[0].preferences[3] (line 1, column 54): An id is a string or a whole number.',
      ],
    ],
    [
      'groups that are no list',
      one({ groups: 'f' }),
      ['applicants[0].groups (line 1, column 52): A list is expected.'],
    ],
    [
      'a capacity below 0',
      one({}, { capacity: -1 }),
      ['programs[0].capacity (line 1, column 78): A whole number from 0 is expected.'],
    ],
    [
      'half a seat',
      one({}, { capacity: 1.5 }),
      ['programs[0].capacity (line 1, column 78): A whole number from 0 is expected.'],
    ],
    [
      'a capacity in words',
      one({}, { capacity: '1' }),
      ['programs[0].capacity (line 1, column 78): A whole number from 0 is expected.'],
    ],
    [
      'limits that are no object',
      one({}, { maximum: [1] }),
      ['programs[0].maximum (line 1, column 103): An object with groups and numbers is expected.'],
    ],
    [
      'a maximum of nothing',
      one({}, { maximum: { f: null } }),
      ['programs[0].maximum.f (line 1, column 108): A whole number from 0 is expected.'],
    ],
    [
      'two of one id',
      {
        applicants: [
          { id: 'a', preferences: [] },
          { id: 'a', preferences: [] },
        ],
        programs: [],
      },
      ['applicants[1].id: "a" is the id of applicants[0] already.'],
    ],
    [
      'two programs of one id',
      {
        applicants: [],
        programs: [
          { id: 1, capacity: 1, ranking: [] },
          { id: '1', capacity: 1, ranking: [] },
        ],
      },
      ['programs[1].id: "1" is the id of programs[0] already.'],
    ],
    [
      'a name twice',
      '{"applicants":[{"id":"a","id":"b","preferences":[]}],"programs":[]}',
      ['applicants[0].id (line 1, column 31): This stands twice.'],
    ],
    [
      'a group twice',
      '{"applicants":[],"programs":[{"id":"p","capacity":1,"ranking":[],"reserved":{"f":1,"f":2}}]}',
      ['programs[0].reserved.f (line 1, column 88): This stands twice.'],
    ],
    [
      'two lists of applicants',
      '{"applicants":[],"applicants":[],"programs":[]}',
      ['line 1, column 31: applicants stands twice.'],
    ],
    [
      'no ranking, no capacity',
      { applicants: [], programs: [{ id: 'p' }] },
      [
        'programs[0].capacity (line 1, column 40): The capacity is missing.',
        'programs[0].ranking (line 1, column 40): The ranking is missing.',
      ],
    ],
    [
      'everything before it breaks off',
      '{"applicants":[{"id":"a","preferences":"p"},',
      [
        'applicants[0].preferences (line 1, column 40): A list is expected.',
        'line 1, column 45: Here the file ends, and a value is expected.',
      ],
    ],
  ])('is refused with its place: %s', (_, content, expected) => {
    expect(reasonsOf(content)).toEqual(expected)
  })
  it('tells fifty of many reasons and counts the others', () => {
    const content = one({ preferences: Array.from({ length: 300 }, (_, i) => `x${i}`) })
    try {
      readInstance(file('many.json', content))
      expect.unreachable()
    } catch (error) {
      expect(error).toMatchObject({ count: 300, reasons: { length: 50 } })
    }
  })
})

describe('the file of a result', () => {
  it('comes back as it was written, with ids of every kind', () => {
    const ids = ['plain', 'quote " and \\', 'line\nbreak', 'عمر', '\u{1f600}', '\u0000', '5']
    const instance = {
      applicants: ids.map((id) => ({ id, preferences: ['p', 3] })),
      programs: [
        { id: 'p', capacity: 9, ranking: ids },
        { id: 3, capacity: 1, ranking: ids },
      ],
    }
    const { names } = readInstance(file('ids.json', instance))
    const assigned = Int32Array.from(ids, (_, i) => (i % 3) - 1)
    writeResult(file('ids.result.json'), { names, assigned })
    const written: unknown = JSON.parse(readFileSync(file('ids.result.json'), 'utf8'))
    expect(written).toEqual({
      assignment: Object.fromEntries(ids.flatMap((id, i) => (i % 3 ? [[id, i % 3 === 1 ? 'p' : 3]] : []))),
    })
    expect(readAssignment(file('ids.result.json'), names)).toEqual({ assigned, complaints: [], count: 0 })
    // Half of a pair, which no UTF-8 can carry, is written as its escape.
    const half = readInstance(
      file(
        'half.json',
        '{"applicants":[{"id":"x\\ud83dy","preferences":["p"]}],"programs":[{"id":"p","capacity":1,"ranking":["x\\uD83Dy"]}]}',
      ),
    )
    writeResult(file('half.result.json'), { names: half.names, assigned: Int32Array.of(0) })
    expect(readFileSync(file('half.result.json'), 'utf8')).toBe('{"assignment":{"x\\ud83dy":"p"}}\n')
  })
})

const root = path.join(import.meta.dirname, '../../../..')
const run = (command: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(root, `apps/server/commands/${command}.ts`), ...args],
    { encoding: 'utf8', cwd: folder },
  )
  return { status, stdout, stderr }
}

describe('npm run distribute', () => {
  it('distributes a file as choosing by the words does, and npm run verify-distribution says so', () => {
    const input = madeInput({ applicants: 300, programs: 12, preferences: 6, seats: 0.8, alike: 0.4, quotas: true }, 11)
    writeInstanceFile(file('made.json'), input)
    expect(run('distribute', 'made.json', 'made.result.json')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^assigned \d+ of 300; to the first preference \d+\n$/) as string,
    })
    const made = JSON.parse(readFileSync(file('made.json'), 'utf8')) as InstanceFile
    const result = JSON.parse(readFileSync(file('made.result.json'), 'utf8')) as { assignment: Record<string, string> }
    expect(result.assignment).toEqual(Object.fromEntries(bestByTheWords(made)))
    expect(run('verify-distribution', 'made.json', 'made.result.json')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/blocking pairs 0\nbest for applicants yes .*\nthe result is right\n$/) as string,
    })
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
  })
  it('is named in package.json, both are', () => {
    const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>
    }
    for (const name of ['distribute', 'verify-distribution'])
      expect(scripts[name]).toBe(`node apps/server/commands/${name}.ts`)
  })
  it.each<[string, string[], number, RegExp]>([
    ['one file only', ['x.json'], 2, /^usage: npm run distribute -- INSTANCE.json RESULT.json\n$/],
    ['an option that does not exist', ['--fast', 'x.json', 'y.json'], 2, /^usage/],
    ['a file that is not there', ['nowhere.json', 'y.json'], 1, /^nowhere.json: There is no such file.\n$/],
    ['a folder', ['.', 'y.json'], 1, /^\.: This is a folder.\n$/],
    [
      'text that is no JSON',
      ['text.json', 'y.json'],
      1,
      /^text.json: line 1, column 1: Here there is w, and a value is expected.\n$/,
    ],
    [
      'a result over the instance',
      ['small.json', './small.json'],
      1,
      /^\.\/small.json: The result would be written over the instance.\n$/,
    ],
    ['a folder for the result', ['small.json', 'folder'], 1, /folder: This is a folder.\n$/],
    ['a folder that is not there', ['small.json', 'none/r.json'], 1, /none\/r.json: There is no such file/],
    [
      'groups whose limits overlap',
      ['overlap.json', 'y.json'],
      1,
      /overlap.json: applicants\[0\].groups: a belongs to t and f, and p has limits for both: which of them counts is not defined.\n$/,
    ],
  ])('refuses %s', (_, args, status, words) => {
    file('small.json', SMALL)
    file('text.json', 'words')
    mkdirSync(path.join(folder, 'folder'), { recursive: true })
    file('overlap.json', {
      applicants: [{ id: 'a', groups: ['t', 'f'], preferences: ['p'] }],
      programs: [{ id: 'p', capacity: 1, ranking: ['a'], maximum: { f: 1, t: 1 } }],
    })
    const answer = run('distribute', ...args)
    expect(answer.status).toBe(status)
    expect(answer.stdout).toBe('')
    expect(answer.stderr).toMatch(words)
    expect(answer.stderr).not.toMatch(/^\s+at /m)
    expect(existsSync(file('y.json'))).toBe(false)
    expect(JSON.parse(readFileSync(file('small.json'), 'utf8'))).toEqual(SMALL)
  })
})

it('whatever bytes a file has, it is read or refused with reasons', () => {
  const input = madeInput({ applicants: 12, programs: 4, preferences: 3, seats: 0.8, alike: 0.4, quotas: true }, 2)
  writeInstanceFile(file('whole.json'), input)
  const whole = readFileSync(file('whole.json'))
  const random = chance(9)
  const count = { read: 0, refused: 0 }
  for (let k = 0; k < 1000; k++) {
    const bytes = Buffer.from(whole)
    for (let n = 0; n <= k % 3; n++) {
      const at = Math.floor(random() * bytes.length)
      bytes[at] = random() < 0.5 ? Math.floor(random() * 256) : whole[Math.floor(random() * whole.length)]!
    }
    const cut = random() < 0.2 ? bytes.subarray(0, Math.floor(random() * bytes.length)) : bytes
    writeFileSync(file('broken.json'), cut)
    try {
      rankWishes(readInstance(file('broken.json')).input)
      count.read++
      // What is read is JSON; a text that is no UTF-8 never is.
      JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(cut))
    } catch (error) {
      if (!(error instanceof InstanceProblem)) throw error
      count.refused++
      expect(error.reasons.length).toBeGreaterThan(0)
    }
  }
  expect(count.read).toBeGreaterThan(50)
  expect(count.refused).toBeGreaterThan(300)
})
