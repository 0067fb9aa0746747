/** The file of a result: `{ "assignment": { applicant: program } }`; whoever was given nothing is left out, or has null. */
import { Complaints, readJsonFile, writeFileWhole, type Reading } from './files.server.ts'
import { nameIn, type InstanceNames } from './instance.server.ts'
import type { JsonReader } from './json.server.ts'
import type { TextTable } from './texts.server.ts'

/** Writes what each applicant was given, in the order of the instance. `assigned`: programs by applicant, -1 for none. */
export function writeResult(file: string, { names, assigned }: { names: InstanceNames; assigned: Int32Array }): void {
  const programs = names.programIsNumber.map((isNumber, p) => {
    const bytes = names.programs.bytesOf(names.programText[p]!)
    return isNumber ? bytes : quoted(bytes)
  })
  writeFileWhole(file, (put) => {
    put(Buffer.from('{"assignment":{'))
    const [comma, colon] = [Buffer.from(','), Buffer.from(':')]
    let first = true
    for (let a = 0; a < assigned.length; a++) {
      if (assigned[a]! < 0) continue
      if (!first) put(comma)
      first = false
      put(quoted(names.applicants.bytesOf(names.applicantText[a]!)))
      put(colon)
      put(programs[assigned[a]!]!)
    }
    put(Buffer.from('}}\n'))
  })
}

/** A text as JSON writes it. */
function quoted(bytes: Uint8Array): Uint8Array {
  let usual = true
  for (const c of bytes) usual &&= c >= 32 && c !== 34 && c !== 92 && c !== 0xed
  if (usual) {
    const whole = new Uint8Array(bytes.length + 2)
    whole.set(bytes, 1)
    whole[0] = whole[whole.length - 1] = 34
    return whole
  }
  const parts: Uint8Array[] = [Buffer.from('"')]
  for (let i = 0; i < bytes.length; i++) {
    const c = bytes[i]!
    const escape = (code: number): void => void parts.push(Buffer.from(`\\u${code.toString(16).padStart(4, '0')}`))
    if (c === 34 || c === 92) parts.push(Uint8Array.of(92, c))
    else if (c < 32) escape(c)
    else if (c === 0xed && bytes[i + 1]! >= 0xa0) {
      // Half of a surrogate pair is written in no other way.
      escape(0xd000 | ((bytes[i + 1]! & 63) << 6) | (bytes[i + 2]! & 63))
      i += 2
    } else parts.push(Uint8Array.of(c))
  }
  parts.push(Buffer.from('"'))
  return Buffer.concat(parts)
}

/** What a result gives to whom, and what in it speaks of nobody and nothing. */
export interface ReadAssignment {
  /** The program of each applicant, -1 for none. */
  readonly assigned: Int32Array
  readonly complaints: readonly string[]
  readonly count: number
}

/**
 * Reads the file of a result. Ids that the instance does not have, and somebody who stands there twice, are no reason to stop: they
 * are found, like everything else that is wrong with it.
 * @throws {InstanceProblem} where it is no result at all
 */
export function readAssignment(file: string, names: InstanceNames, onRead?: Reading): ReadAssignment {
  const assigned = new Int32Array(names.applicantText.length).fill(-1)
  const found = new Complaints()
  readJsonFile(
    file,
    (reader) => {
      if (reader.kind() !== 'object') reader.fail('A result is an object with an assignment.')
      let there = false
      reader.object(nameIn(reader, ['assignment']), (key) => {
        if (key < 0) return reader.skip()
        if (there) reader.fail('assignment stands twice.')
        there = true
        if (reader.kind() !== 'object') reader.fail('The assignment is an object with applicants and programs.')
        readPairs(reader, names, assigned, found)
      })
      reader.finish()
      if (!there) reader.fail('The file has no assignment.')
    },
    onRead,
  )
  return { assigned, complaints: found.reasons, count: found.count }
}

function readPairs(reader: JsonReader, names: InstanceNames, assigned: Int32Array, found: Complaints): void {
  const named = new Uint8Array(assigned.length)
  let unknown = ''
  const lookUp = (table: TextTable, rows: Int32Array): number => {
    const text = table.numberOf(reader)
    const row = text < 0 ? -1 : (rows[text] ?? -1)
    if (row < 0) unknown = asWritten()
    return row
  }
  const asWritten = (): string => Buffer.from(reader.bytes.subarray(reader.from, reader.to)).toString('utf8')
  reader.object(
    () => lookUp(names.applicants, names.applicantOf),
    (a) => {
      const place = reader.place()
      const who = unknown
      const kind = reader.kind()
      let p = -1
      if (kind === 'string' || kind === 'number') {
        if (kind === 'string') reader.text()
        const written = kind === 'string' || reader.wholeNumber()
        p = written ? lookUp(names.programs, names.programOf) : -1
        if (p < 0) {
          const program = written ? unknown : asWritten()
          found.add(() => `assignment (${place}): ${JSON.stringify(program)} is none of the programs.`)
        }
      } else if (kind !== 'true, false or null' || reader.literal() !== null) {
        if (kind !== 'true, false or null') reader.skip()
        found.add(() => `assignment (${place}): An id is a string or a whole number, or null for nothing.`)
      }
      if (a < 0) {
        found.add(() => `assignment (${place}): ${JSON.stringify(who)} is none of the applicants.`)
        return
      }
      if (named[a]) {
        found.add(
          () =>
            `assignment (${place}): ${JSON.stringify(names.applicants.textOf(names.applicantText[a]!))} stands twice.`,
        )
        return
      }
      named[a] = 1
      assigned[a] = p
    },
  )
}
