/**
 * The file of an instance: `{ applicants: [{ id, groups, preferences }], programs: [{ id, capacity, ranking, maximum, reserved }] }`,
 * read into columns. Names within an object come in any order; `groups`, `maximum` and `reserved` may be missing; others are
 * passed over. An id is a string or a whole number, and is known by how it is written: 7 and "7" are the same.
 */
import { GrowingInts, type DistributionInput, type GroupLimit, type ProgramTerms } from '../input.rules.ts'
import { readJsonFile, type Complaints, type Reading } from './files.server.ts'
import type { JsonReader } from './json.server.ts'
import { TextTable } from './texts.server.ts'

/** What applicants, programs and groups of an instance are called. */
export interface InstanceNames {
  readonly applicants: TextTable
  /** By text of {@link InstanceNames.applicants}: the applicant, or -1 where it only stands in rankings. */
  readonly applicantOf: Int32Array
  /** By applicant: the text. */
  readonly applicantText: Int32Array
  readonly programs: TextTable
  readonly programOf: Int32Array
  readonly programText: Int32Array
  /** By program: whether the file writes its id as a number. */
  readonly programIsNumber: readonly boolean[]
  readonly groups: TextTable
}

export interface ReadInstance {
  readonly input: DistributionInput
  readonly names: InstanceNames
  /** Places in rankings of somebody who is no applicant, and of somebody who stands there once more. */
  readonly strangers: number
  readonly rankedAgain: number
}

const ascii = (text: string): Uint8Array => Buffer.from(text, 'latin1')
/** Answers which of these names is the text that was read; -1 for another. */
export function nameIn(reader: JsonReader, names: readonly string[]): () => number {
  const known = names.map(ascii)
  return () => {
    const { bytes, from, to } = reader
    for (let k = 0; k < known.length; k++) {
      const name = known[k]!
      if (name.length !== to - from) continue
      let i = 0
      while (i < name.length && name[i] === bytes[from + i]) i++
      if (i === name.length) return k
    }
    return -1
  }
}

const MOST_SEATS = 0x7fffffff
const SEATS = 'A whole number from 0 is expected.'
const ROOT = ['applicants', 'programs'] as const
const OF_APPLICANT = ['id', 'groups', 'preferences'] as const
const OF_PROGRAM = ['id', 'capacity', 'ranking', 'maximum', 'reserved'] as const

/** What a list of one applicant is called, where something in it is wrong. */
const asListed = (table: TextTable, text: number): string => JSON.stringify(table.textOf(text))

/**
 * Reads the file of an instance.
 * @throws {InstanceProblem} with every reason, each with its place in the file
 */
export function readInstance(file: string, onRead?: Reading): ReadInstance {
  return readJsonFile(file, readInstanceFrom, onRead)
}

function readInstanceFrom(reader: JsonReader, complaints: Complaints): ReadInstance {
  /** Where reading is: told only where something is wrong. */
  let list = ''
  let row = 0
  const wrong = (what: string, inside = '', place = reader.place()): void => {
    complaints.add(() => `${list}[${row}]${inside} (${place}): ${what}`)
  }
  const applicants = new TextTable()
  const programs = new TextTable()
  const groups = new TextTable()

  /** Reads an id into the table; -1 where it is none, which is told. */
  const idOf = (table: TextTable, inside: string, index: number): number => {
    const kind = reader.kind()
    if (kind === 'string') {
      reader.text()
      return table.numberFor(reader)
    }
    if (kind === 'number') {
      if (reader.wholeNumber()) return table.numberFor(reader)
    }
    wrong(
      'An id is a string or a whole number.',
      index < 0 ? inside : `${inside}[${index}]`,
      kind === 'number' ? reader.placeOfText() : reader.place(),
    )
    if (kind !== 'number') reader.skip()
    return -1
  }
  /** Reads a list of ids; false where it is no list. */
  const idsOf = (table: TextTable, into: GrowingInts, inside: string, mayBeNull: boolean): boolean => {
    const kind = reader.kind()
    if (kind === 'array') {
      reader.array((index) => into.push(idOf(table, inside, index)))
      return true
    }
    const place = reader.place()
    if (kind === 'true, false or null') {
      if (reader.literal() === null && mayBeNull) return true
    } else reader.skip()
    wrong('A list is expected.', inside, place)
    return false
  }
  /** Reads a list of objects with these names; `read` reads the value of each, `done` follows every object. */
  const objectsOf = (
    name: string,
    names: readonly string[],
    read: (key: number) => void,
    done: (seen: number) => void,
  ) => {
    if (reader.kind() !== 'array') {
      const place = reader.place()
      complaints.add(() => `${name} (${place}): A list is expected.`)
      return reader.skip()
    }
    const known = nameIn(reader, names)
    let seen = 0
    const value = (key: number): void => {
      if (key < 0) return reader.skip()
      if (seen & (1 << key)) {
        wrong('This stands twice.', `.${names[key]}`)
        return reader.skip()
      }
      seen |= 1 << key
      read(key)
    }
    list = name
    reader.array((index) => {
      row = index
      seen = 0
      if (reader.kind() === 'object') {
        reader.object(known, value)
        done(seen)
        return
      }
      wrong('An object is expected.')
      reader.skip()
    })
  }

  // --- Applicants
  const applicantText = new GrowingInts()
  const groupAt = new GrowingInts()
  const groupRows = new GrowingInts()
  const wishAt = new GrowingInts()
  const wishRows = new GrowingInts(1 << 16)
  groupAt.push(0)
  wishAt.push(0)
  let id = -1
  const applicantValue = (key: number): void => {
    if (key === 0) id = idOf(applicants, '.id', -1)
    else if (key === 1) idsOf(groups, groupRows, '.groups', true)
    else idsOf(programs, wishRows, '.preferences', false)
  }
  const applicantDone = (seen: number): void => {
    if (!(seen & 1)) wrong('The id is missing.', '.id')
    if (!(seen & 4)) wrong('The preferences are missing.', '.preferences')
    applicantText.push(seen & 1 ? id : -1)
    groupAt.push(groupRows.length)
    wishAt.push(wishRows.length)
  }

  // --- Programs
  const programText = new GrowingInts()
  const programIsNumber: boolean[] = []
  const terms: ProgramTerms[] = []
  const rankAt = new GrowingInts()
  const rankRows = new GrowingInts(1 << 16)
  rankAt.push(0)
  let capacity = 0
  let [maximum, reserved]: [Map<number, number>, Map<number, number>] = [new Map(), new Map()]
  const seatsOf = (inside: string): number => {
    if (reader.kind() === 'number') {
      const value = reader.number()
      if (Number.isInteger(value) && value >= 0) return Math.min(value, MOST_SEATS)
      wrong(SEATS, inside, reader.placeOfText())
    } else {
      wrong(SEATS, inside)
      reader.skip()
    }
    return 0
  }
  const limitsOf = (name: string): Map<number, number> => {
    const limits = new Map<number, number>()
    const kind = reader.kind()
    const place = reader.place()
    if (kind === 'object')
      reader.object(
        () => groups.numberFor(reader),
        (group) => {
          const inside = (): string => `.${name}.${groups.textOf(group)}`
          if (limits.has(group)) wrong('This stands twice.', inside())
          limits.set(group, seatsOf(inside()))
        },
      )
    else if (kind !== 'true, false or null' || reader.literal() !== null) {
      if (kind !== 'true, false or null') reader.skip()
      wrong('An object with groups and numbers is expected.', `.${name}`, place)
    }
    return limits
  }
  let isNumber = false
  const programValue = (key: number): void => {
    if (key === 0) {
      isNumber = reader.kind() === 'number'
      id = idOf(programs, '.id', -1)
    } else if (key === 1) capacity = seatsOf('.capacity')
    else if (key === 2) idsOf(applicants, rankRows, '.ranking', false)
    else if (key === 3) maximum = limitsOf('maximum')
    else reserved = limitsOf('reserved')
  }
  const programDone = (seen: number): void => {
    for (const [key, name] of ['id', 'capacity', 'ranking'].entries())
      if (!(seen & (1 << key))) wrong(`The ${name} is missing.`, `.${name}`)
    programText.push(seen & 1 ? id : -1)
    programIsNumber.push(isNumber)
    rankAt.push(rankRows.length)
    const limits: GroupLimit[] = []
    // Reserved seats are filled in the order in which they are written.
    for (const [group, count] of reserved) limits.push({ group, maximum: maximum.get(group) ?? null, reserved: count })
    for (const [group, count] of maximum) if (!reserved.has(group)) limits.push({ group, maximum: count, reserved: 0 })
    terms.push({ capacity, limits })
    maximum = new Map()
    reserved = new Map()
  }

  if (reader.kind() !== 'object') reader.fail('An instance is an object with applicants and programs.')
  let seen = 0
  reader.object(nameIn(reader, ROOT), (key) => {
    if (key < 0) return reader.skip()
    if (seen & (1 << key)) reader.fail(`${ROOT[key]} stands twice.`)
    seen |= 1 << key
    if (key === 0) objectsOf('applicants', OF_APPLICANT, applicantValue, applicantDone)
    else objectsOf('programs', OF_PROGRAM, programValue, programDone)
  })
  reader.finish()
  for (const [key, name] of ROOT.entries()) if (!(seen & (1 << key))) complaints.add(() => `The file has no ${name}.`)

  /** By text: its row. Two with one id are told. */
  const rowsOf = (name: string, table: TextTable, texts: Int32Array): Int32Array => {
    const rows = new Int32Array(table.size).fill(-1)
    for (let i = 0; i < texts.length; i++) {
      const text = texts[i]!
      if (text < 0) continue
      const first = rows[text]!
      if (first < 0) rows[text] = i
      else complaints.add(() => `${name}[${i}].id: ${asListed(table, text)} is the id of ${name}[${first}] already.`)
    }
    return rows
  }
  const applicantOf = rowsOf('applicants', applicants, applicantText.done())
  const programOf = rowsOf('programs', programs, programText.done())

  const [ats, wishes] = [wishAt.done(), wishRows.done()]
  for (let a = 0; a + 1 < ats.length; a++)
    for (let i = ats[a]!; i < ats[a + 1]!; i++) {
      const text = wishes[i]!
      wishes[i] = text < 0 ? -1 : programOf[text]!
      if (text >= 0 && wishes[i]! < 0)
        complaints.add(
          () => `applicants[${a}].preferences[${i - ats[a]!}]: ${asListed(programs, text)} is none of the programs.`,
        )
    }
  const [ranks, ranking] = [rankAt.done(), rankRows.done()]
  let strangers = 0
  let rankedAgain = 0
  const lastPlace = new Int32Array(applicantText.length).fill(-1)
  for (let p = 0; p + 1 < ranks.length; p++)
    for (let j = ranks[p]!; j < ranks[p + 1]!; j++) {
      const a = ranking[j]! < 0 ? -1 : applicantOf[ranking[j]!]!
      ranking[j] = a
      if (a < 0) strangers++
      else {
        if (lastPlace[a]! >= ranks[p]!) rankedAgain++
        lastPlace[a] = j
      }
    }
  return {
    input: {
      applicants: applicantText.length,
      programs: terms,
      groupCount: groups.size,
      groupAt: groupAt.done(),
      groups: groupRows.done(),
      wishAt: ats,
      wishes,
      rankAt: ranks,
      ranking,
    },
    names: {
      applicants,
      applicantOf,
      applicantText: applicantText.done(),
      programs,
      programOf,
      programText: programText.done(),
      programIsNumber,
      groups,
    },
    strangers,
    rankedAgain,
  }
}
